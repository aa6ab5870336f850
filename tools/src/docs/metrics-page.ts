import type { MetricDeclaration } from '@holdfast/observability';
import { code, generatedNotice, page, table } from './markdown.js';

export type ProgramMetrics = {
  /** The process that exports them. */
  readonly program: string;
  readonly metrics: readonly MetricDeclaration[];
};

/** Every metric with its labels and who exports it, from the declarations that register them. */
export function metricsPage(programs: readonly ProgramMetrics[]): string {
  const names = new Set(programs.flatMap(({ metrics }) => metrics.map(({ name }) => name)));
  return page(
    generatedNotice,
    '# Metrics',
    'Each process serves them at `/metrics` of its operations port, with the label `service`; `npm start` serves the metrics of all services at one address. ' +
      'A sample is there from the start, with the value 0, for every listed value of a label. ' +
      'The metrics of the process and of Node (`process_*`, `nodejs_*`) come from prom-client.',
    table(
      ['Name', 'Type', 'Labels', 'Meaning', 'Exported by'],
      [...names].sort().map((name) => rowOf(name, programs)),
    ),
  );
}

function rowOf(name: string, programs: readonly ProgramMetrics[]): readonly string[] {
  const exporting = programs.filter(({ metrics }) => metrics.some((metric) => metric.name === name));
  const declarations = programs.flatMap(({ metrics }) => metrics.filter((metric) => metric.name === name));
  const by = exporting.length === programs.length ? 'every process' : exporting.map(({ program }) => program).join(', ');
  return [code(name), declarations[0]?.type ?? '', labelsText(declarations), declarations[0]?.help ?? '', by];
}

const valuesMax = 8;

/** A metric may be declared for each service with the values that occur there. */
function labelsText(declarations: readonly MetricDeclaration[]): string {
  const labels = Object.keys(declarations[0]?.labels ?? {});
  return labels
    .map((label) => `${code(label)}: ${valuesText(declarations.flatMap(({ labels: of }) => of[label] ?? []))}`)
    .join('; ');
}

function valuesText(values: readonly string[]): string {
  const distinct = [...new Set(values)];
  const shown = distinct.slice(0, valuesMax).join(', ');
  return distinct.length > valuesMax ? `${shown} and ${distinct.length - valuesMax} more` : shown;
}
