import { rateOf, ratioOf } from './measure.js';
import type { MeasuredSide, Table, Target } from './results.js';
import { spreadOf, type Spread } from './statistics.js';

/** The cells of a table of results, for a terminal and for a page. The last column is a chart of the medians. */
export type Cells = { readonly head: readonly string[]; readonly rows: readonly (readonly string[])[] };

export function cellsOf({ unit, sides, baseline }: Table): Cells {
  const longest = Math.max(...sides.map((side) => rateOf(side).median));
  const base = sides.find(({ name }) => name === baseline);
  const isTimed = sides.some(({ samples }) => samples.some(({ p50Ms }) => p50Ms !== null));
  return {
    head: ['', unit, 'min..max', ...(isTimed ? ['p50', 'p99'] : []), ...(base === undefined ? [] : [`against ${base.name}`]), ''],
    rows: sides.map((side) => {
      const rate = rateOf(side);
      return [
        side.name,
        count(rate.median),
        `${count(rate.min)}..${count(rate.max)}`,
        ...(isTimed ? [latency(side, 'p50Ms'), latency(side, 'p99Ms')] : []),
        ...(base === undefined ? [] : [times(ratioOf(side, base).median)]),
        bar(rate.median / longest),
      ];
    }),
  };
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

function latency({ samples }: MeasuredSide, which: 'p50Ms' | 'p99Ms'): string {
  const values = samples.map((sample) => sample[which]).filter((value) => value !== null);
  return values.length === 0 ? '' : `${spreadOf(values).median.toFixed(1)} ms`;
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
