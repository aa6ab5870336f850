import type { MetricDeclaration } from '@holdfast/observability';
import { declaredMetrics } from './declared-metrics.js';

const declared = [...declaredMetrics.values()].flat();

/** What a number counts or measures; a gauge without one of them counts things that its name says, or is 0 or 1. */
const units = /_(seconds|tokens|rows|messages|postings|transfers|calls|connections|requests|total|info)(_max)?$/;
const countsOrStates =
  /_(open|connected|stopped|reached|low|stuck|stalled|past_no_return|discrepancies|streams|orders|differing|connections|failing|overdue|held)$|^holdfast_orders$/;

const named = (isOffender: (declaration: MetricDeclaration) => boolean): readonly string[] => [
  ...new Set(declared.filter(isOffender).map(({ name }) => name)),
];

describe('every declared metric', () => {
  it('has the prefix of the platform, in lower case', () => {
    expect(named(({ name }) => !/^holdfast(_[a-z]+)+$/.test(name))).toEqual([]);
  });

  it('ends in _total if it is a counter, and only then', () => {
    expect(named(({ name, type }) => name.endsWith('_total') !== (type === 'counter'))).toEqual([]);
    expect(named(({ name }) => /_(count|sum|bucket)$/.test(name))).toEqual([]);
  });

  it('names its unit, or what it counts', () => {
    expect(named(({ name }) => !units.test(name) && !countsOrStates.test(name))).toEqual([]);
  });

  it('says what it means', () => {
    expect(named(({ help }) => help.length < 10 || help.endsWith('.'))).toEqual([]);
  });

  it('has few labels, each with a list of values or with words about what bounds them', () => {
    expect(named(({ labels }) => Object.keys(labels).length > 3)).toEqual([]);
    expect(named(({ labels }) => Object.keys(labels).some((label) => !/^[a-z]+$/.test(label) || label === 'service'))).toEqual(
      [],
    );
    expect(named(({ labels }) => Object.values(labels).some((values) => values.length === 0 || values.length > 100))).toEqual([]);
  });

  it('is the same wherever it is declared', () => {
    const described = declared.map(
      ({ name, type, help, labels }) => [name, `${type} ${help} ${Object.keys(labels).join()}`] as const,
    );
    const first = new Map(described.toReversed());
    expect(described.filter(([name, text]) => first.get(name) !== text)).toEqual([]);
  });
});
