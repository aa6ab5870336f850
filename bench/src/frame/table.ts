import { rateOf, ratioOf } from './measure.js';
import type { MeasuredSide, Table, Target } from './results.js';
import { spreadOf, type Spread } from './statistics.js';

/** The cells of a table of results, for a terminal and for a page. The last column is a chart of the medians. */
export type Cells = { readonly head: readonly string[]; readonly rows: readonly (readonly string[])[] };

type Column = { readonly title: string; readonly cell: (side: MeasuredSide) => string };

export function cellsOf({ unit, sides, baseline }: Table): Cells {
  const longest = Math.max(...sides.map((side) => rateOf(side).median));
  const base = sides.find(({ name }) => name === baseline);
  const columns: readonly Column[] = [
    { title: '', cell: ({ name }) => name },
    { title: unit, cell: (side) => count(rateOf(side).median) },
    { title: 'min..max', cell: (side) => `${count(rateOf(side).min)}..${count(rateOf(side).max)}` },
    { title: 'p50', cell: (side) => medianOf(side, 'p50Ms', (ms) => `${ms.toFixed(1)} ms`) },
    { title: 'p99', cell: (side) => medianOf(side, 'p99Ms', (ms) => `${ms.toFixed(1)} ms`) },
    { title: 'CPU each', cell: (side) => medianOf(side, 'cpuMicros', (micros) => `${micros.toFixed(0)} µs`) },
    { title: 'ratio', cell: (side) => (base === undefined ? '' : times(ratioOf(side, base).median)) },
    { title: '', cell: (side) => bar(rateOf(side).median / longest) },
  ];
  const told = columns.filter(({ cell }) => sides.some((side) => cell(side) !== ''));
  return { head: told.map(({ title }) => title), rows: sides.map((side) => told.map(({ cell }) => cell(side))) };
}

export function isMet({ measured, atLeast }: Target): boolean {
  return measured.median >= atLeast;
}

/** `9.1x (8.7x..9.6x)`, or `2,600/s (2,400/s..2,700/s)`. */
export function spreadText({ median, min, max }: Spread, unit: string): string {
  return `${amount(median, unit)} (${amount(min, unit)}..${amount(max, unit)})`;
}

export function amount(value: number, unit: string): string {
  return unit === 'x' ? times(value) : `${count(value)}${unit}`;
}

function medianOf({ samples }: MeasuredSide, which: 'p50Ms' | 'p99Ms' | 'cpuMicros', show: (value: number) => string): string {
  const values = samples.map((sample) => sample[which]).filter((value) => value !== null);
  return values.length === 0 ? '' : show(spreadOf(values).median);
}

function times(ratio: number): string {
  return `${ratio.toFixed(ratio < 1 ? 2 : 1)}x`;
}

function count(value: number): string {
  return Math.round(value).toLocaleString('en');
}

const barLengthMax = 24;

function bar(share: number): string {
  return '█'.repeat(Math.max(1, Math.round(share * barLengthMax)));
}
