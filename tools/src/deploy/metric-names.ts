/** Suffixes that Prometheus adds to the name of a histogram. */
const seriesOfHistogram = /_(bucket|sum|count)$/;

/** The metrics of processes that an expression names. Recorded series, whose names have colons, are not among them. */
export function metricsIn(expression: string): readonly string[] {
  const withoutTexts = expression.replaceAll(/"[^"]*"/g, '""');
  const names = withoutTexts.match(/(?<![\w:])(?:holdfast|nodejs|process)_\w+(?![\w:])/g) ?? [];
  return [...new Set(names.map((name) => name.replace(seriesOfHistogram, '')))];
}

/** The recorded series that an expression names. */
export function recordedIn(expression: string): readonly string[] {
  return [...new Set(expression.match(/(?<![\w:])holdfast:[\w:]+/g) ?? [])];
}
