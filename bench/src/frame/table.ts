import { addedOf, rateOf, ratioOf } from './measure.js';
import type { MeasuredSide, Table, Target } from './results.js';
import { spreadOf, type Spread } from './statistics.js';

/** The cells of a table of results, for a terminal and for a page. The last column is a chart of the medians. */
export type Cells = { readonly head: readonly string[]; readonly rows: readonly (readonly string[])[] };

type Column = { readonly title: string; readonly cell: (side: MeasuredSide) => string };

export function cellsOf({ unit, sides, baseline, showsAdded = false }: Table): Cells {
  const longest = Math.max(...sides.map((side) => rateOf(side).median));
  const base = sides.find(({ name }) => name === baseline);
  const columns: readonly Column[] = [
    { title: '', cell: ({ name }) => name },
    { title: unit, cell: (side) => count(rateOf(side).median) },
    { title: 'min..max', cell: (side) => `${count(rateOf(side).min)}..${count(rateOf(side).max)}` },
    { title: 'p50', cell: (side) => medianOf(side, 'p50Ms', milliseconds) },
    {
      title: 'added',
      cell: (side) => (showsAdded && base !== undefined ? milliseconds(addedOf(side, base, 'p50Ms').median) : ''),
    },
    { title: 'p99', cell: (side) => medianOf(side, 'p99Ms', milliseconds) },
    {
      title: 'added',
      cell: (side) => (showsAdded && base !== undefined ? milliseconds(addedOf(side, base, 'p99Ms').median) : ''),
    },
    { title: 'CPU each', cell: (side) => medianOf(side, 'cpuMicros', (micros) => `${micros.toFixed(0)} µs`) },
    { title: 'ratio', cell: (side) => (base === undefined ? '' : times(ratioOf(side, base).median)) },
    { title: '', cell: (side) => bar(rateOf(side).median / longest) },
  ];
  const text = columns.filter(({ cell }) => sides.some((side) => cell(side) !== ''));
  return { head: text.map(({ title }) => title), rows: sides.map((side) => text.map(({ cell }) => cell(side))) };
}

export function isMet(target: Target): boolean {
  return isWithin(target, target.measured.median);
}

/** Whether a value would meet the target. */
export function isWithin({ atLeast = -Infinity, atMost = Infinity }: Target, value: number): boolean {
  return value >= atLeast && value <= atMost;
}

/** `at least 2,500/s`, or `at most 0.60 ms`. */
export function boundText({ atLeast, atMost, unit }: Target): string {
  if (atLeast !== undefined) return `at least ${amount(atLeast, unit)}`;
  return `at most ${amount(atMost ?? Number.NaN, unit)}`;
}

/** `9.1x (8.7x..9.6x)`, or `2,600/s (2,400/s..2,700/s)`. */
export function spreadText({ median, min, max }: Spread, unit: string): string {
  return `${amount(median, unit)} (${amount(min, unit)}..${amount(max, unit)})`;
}

function amount(value: number, unit: string): string {
  if (unit === 'ms') return milliseconds(value);
  return unit === 'x' ? times(value) : `${count(value)}${unit}`;
}

function medianOf({ samples }: MeasuredSide, which: 'p50Ms' | 'p99Ms' | 'cpuMicros', show: (value: number) => string): string {
  const values = samples.map((sample) => sample[which]).filter((value) => value !== null);
  return values.length === 0 ? '' : show(spreadOf(values).median);
}

const fineMsMax = 5;

function milliseconds(ms: number): string {
  return `${ms.toFixed(Math.abs(ms) < fineMsMax ? 2 : 1)} ms`;
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
