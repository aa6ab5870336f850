import type { Report, Table, Target } from './results.js';
import { boundText, cellsOf, isMet, spreadText } from './table.js';

/** Everything a person at a terminal wants to see of a run. */
export function printReport({ title, tables, drawings = [], targets, checks, load, machine, settings }: Report): void {
  console.log(`\n${title}`);
  for (const table of tables) console.log(`\n${textOf(table)}`);
  for (const { title: name, lines } of drawings) console.log(`\n${[name, ...lines].join('\n  ')}`);
  console.log('');
  for (const target of targets) console.log(verdictOf(target));
  for (const check of checks) console.log(`proven: ${check}`);
  for (const [name, value] of Object.entries(settings)) console.log(`${name}: ${value}`);
  console.log(`load average ${load.before} before and ${load.after} after, on ${machine.cores} cores`);
}

function textOf(table: Table): string {
  const { head, rows } = cellsOf(table);
  const widths = head.map((title, column) => Math.max(title.length, ...rows.map((row) => (row[column] ?? '').length)));
  const isNumber = (column: number): boolean => column > 0 && column < head.length - 1;
  const line = (cells: readonly string[]): string =>
    cells
      .map((cell, column) => (isNumber(column) ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0)))
      .join('  ');
  return [table.title, ...[head, ...rows].map((cells) => `  ${line(cells)}`.trimEnd())].join('\n');
}

function verdictOf(target: Target): string {
  const { work, unit, measured } = target;
  return `${isMet(target) ? 'met   ' : 'MISSED'} ${work}: ${spreadText(measured, unit)}, target ${boundText(target)}`;
}
