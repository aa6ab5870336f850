import type { Report, Table, Target } from './results.js';
import { boundText, cellsOf, isMet, isWithin, spreadText } from './table.js';

const opening = `# Benchmarks

Written by \`npm run bench\` from the files in \`bench/results\`; edits are lost with the next run.

Every comparison runs all its sides on the same servers in the same run, round by round in alternating order, after a round
to warm up. The number shown is the median of the rounds, with the smallest and the largest beside it; a ratio is formed
within each round and its median is shown. The load generator shares the machine with what it measures, so the absolute
numbers are lower than on a machine that runs the service alone. "CPU each" is the processor time per call of the
process that a line is about; if that process is the benchmark, the caller's share is included. This number changes
least on a busy machine.
Nothing here is a test: no number makes a build fail. A run fails if a single call fails or if the books do not add up
afterwards.

\`\`\`
npm run bench                  all of them, about half an hour
npm run bench:ledger           the ledger alone, then credits over HTTP
npm run bench:gateway          the gateway alone
npm run bench:messaging        messaging alone
npm run bench:network          orders on a realistic network, about a quarter of an hour
npm run bench -- --quick       a short run to try it; nothing is written
\`\`\`

The benchmarks bring their own Postgres and start a private RabbitMQ. You must install \`pgbench\` and \`nginx\` with
nchan: on Debian and Ubuntu, with \`apt-get install postgresql-contrib nginx-light libnginx-mod-nchan\`.
`;

/** The page of the last results. */
export function documentOf(reports: readonly Report[]): string {
  const targets = reports.flatMap((report) => report.targets);
  return [opening, '## Targets\n', ...targetTable(targets), '', ...reports.flatMap(chapterOf)].join('\n');
}

function targetTable(targets: readonly Target[]): readonly string[] {
  const rows = targets.map((target) => {
    const { work, unit, measured } = target;
    return [work, boundText(target), spreadText(measured, unit), isMet(target) ? 'met' : '**missed**'];
  });
  return markdownTable(['Work', 'Target', 'Measured', ''], rows);
}

function chapterOf(report: Report): readonly string[] {
  const { title, about, tables, drawings = [], checks } = report;
  return [
    `## ${title}\n`,
    ...about.map((paragraph) => `${paragraph}\n`),
    ...tables.flatMap(tableOf),
    ...drawings.flatMap(({ title: name, lines }) => [`### ${name}\n`, '```', ...lines, '```', '']),
    '### Reading\n',
    ...readingOf(report).map((sentence) => `- ${sentence}`),
    ...checks.map((check) => `- Proven after the last round: ${check}.`),
    '',
    '### Circumstances\n',
    ...settingsText(report),
    '',
  ];
}

function tableOf(table: Table): readonly string[] {
  const { head, rows } = cellsOf(table);
  return [`### ${table.title}\n`, ...markdownTable(head, rows), ''];
}

function readingOf({ targets, load, machine }: Report): readonly string[] {
  const verdicts = targets.map((target) => {
    const { work, unit, measured } = target;
    const result = `${work}: ${spreadText(measured, unit)} against a target of ${boundText(target)}`;
    if (!isMet(target)) return `**Missed.** ${result}. This is ${missedBy(target)}.`;
    const isAlwaysMet = isWithin(target, measured.min) && isWithin(target, measured.max);
    return isAlwaysMet ? `Met in every round. ${result}.` : `Met by the median, missed by the slowest round. ${result}.`;
  });
  const isBusy = load.before > machine.cores / 2;
  const noise = `The machine was busy with other things when the run began (load average ${load.before} on ${machine.cores} cores): the ratios are worth more than the numbers, and neither is worth much.`;
  return isBusy ? [...verdicts, noise] : verdicts;
}

function missedBy({ measured, atLeast, atMost }: Target): string {
  if (atLeast !== undefined) return `short by ${Math.round((1 - measured.median / atLeast) * 100)} %`;
  return `over it by ${Math.round((measured.median / (atMost ?? Number.NaN) - 1) * 100)} %`;
}

function settingsText({ measuredAt, durationSeconds, machine, load, settings }: Report): readonly string[] {
  const facts: Readonly<Record<string, string>> = {
    Measured: `${measuredAt.slice(0, 16).replace('T', ' ')} UTC, in ${Math.round(durationSeconds)} s`,
    Machine: `${machine.processor}, ${machine.cores} cores, ${machine.memoryGb} GB, ${machine.system}`,
    'Load average': `${load.before} before, ${load.after} after`,
    Versions: pairs(machine.versions),
    Settings: pairs(settings),
  };
  return markdownTable(['', ''], Object.entries(facts));
}

function pairs(values: Readonly<Record<string, string | number>>): string {
  return Object.entries(values)
    .map(([name, value]) => `${name} ${value}`)
    .join(', ');
}

function markdownTable(head: readonly string[], rows: readonly (readonly string[])[]): readonly string[] {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map((_, column) => (column === 0 ? '---' : '---:'))), ...rows.map(line)];
}
