import fc from 'fast-check';
import { orderArrivals, type OrderedArrival } from './hold-back.js';

const nowMs = 1_000;
const nothing = { versions: new Map<string, number>(), ids: new Set<string>() };

function waiting(id: string, given: Partial<OrderedArrival> = {}): OrderedArrival {
  return { id, aggregateVersion: undefined, afterEventId: undefined, gapUntilMs: nowMs, heldUntilMs: nowMs + 1, ...given };
}

function version(version: number, aggregate = 'usr_1', isGapless = true): Partial<OrderedArrival> {
  return { aggregateVersion: { aggregate, version, isGapless } };
}

function idsOf(items: readonly OrderedArrival[]): string {
  return items.map(({ id }) => id).join('');
}

function ordered(items: readonly OrderedArrival[], appended = nothing): string {
  const { ready, heldBack } = orderArrivals(items, appended, nowMs);
  return `${idsOf(ready)}|${idsOf(heldBack)}`;
}

describe('orderArrivals', () => {
  it('preserves the order of arrival without versions and predecessors', () => {
    expect(ordered([waiting('a'), waiting('b'), waiting('c')])).toBe('abc|');
  });

  it('orders the events of one aggregate by version', () => {
    expect(ordered([waiting('c', version(3)), waiting('a', version(1)), waiting('b', version(2))])).toBe('abc|');
  });

  it('orders versions that may have gaps, and waits for no missing one after the gap time', () => {
    const loosely = (number: number) => version(number, 'ord_1', false);
    expect(ordered([waiting('e', loosely(5)), waiting('b', loosely(2)), waiting('c', loosely(2))])).toBe('bce|');
  });

  it('holds an event back for a missing version until the gap time', () => {
    const loosely = (number: number) => ({ ...version(number, 'ord_1', false), gapUntilMs: nowMs + 1 });
    const appended = { versions: new Map([['ord_1', 2]]), ids: new Set<string>() };
    expect(ordered([waiting('d', loosely(4))], appended)).toBe('|d');
    expect(ordered([waiting('d', loosely(4)), waiting('c', loosely(3))], appended)).toBe('cd|');
    expect(ordered([waiting('b', loosely(2)), waiting('c', loosely(3))], appended)).toBe('bc|');
  });

  it('preserves the order of arrival among aggregates, also with several events of one', () => {
    const ofOrder = (number: number) => version(number, 'ord_1', false);
    const dispute = waiting('d', version(1, 'dsp_1', false));
    expect(ordered([waiting('a', ofOrder(5)), waiting('b', ofOrder(6)), dispute, waiting('e', ofOrder(7))])).toBe('abde|');
    expect(ordered([waiting('b', ofOrder(6)), waiting('a', ofOrder(5)), dispute])).toBe('abd|');
  });

  it('holds an event back for a missing version, and other aggregates proceed', () => {
    expect(ordered([waiting('c', version(3)), waiting('x', version(1, 'usr_2')), waiting('a', version(1))])).toBe('xa|c');
  });

  it('continues after the versions in the log', () => {
    const appended = { versions: new Map([['usr_1', 2]]), ids: new Set<string>() };
    expect(ordered([waiting('c', version(3))], appended)).toBe('c|');
    expect(ordered([waiting('b', version(2))], appended)).toBe('b|');
    expect(ordered([waiting('d', version(4))], appended)).toBe('|d');
  });

  it('appends an event after its named predecessor, which is in the batch or in the log', () => {
    expect(ordered([waiting('b', { afterEventId: 'a' }), waiting('a')])).toBe('ab|');
    expect(ordered([waiting('b', { afterEventId: 'a' })])).toBe('|b');
    expect(ordered([waiting('b', { afterEventId: 'a' })], { ...nothing, ids: new Set(['a']) })).toBe('b|');
  });

  it('appends an event without its predecessor after the maximum time', () => {
    const late = { heldUntilMs: nowMs };
    expect(ordered([waiting('c', { ...version(3), ...late }), waiting('b', { afterEventId: 'x', ...late })])).toBe('cb|');
    expect(ordered([waiting('d', version(4)), waiting('c', { ...version(3), ...late })])).toBe('cd|');
  });

  it('restores the order of versions from any order of arrival', () => {
    fc.assert(
      fc.property(fc.shuffledSubarray([1, 2, 3, 4, 5, 6, 7, 8], { minLength: 8, maxLength: 8 }), (versions) => {
        expect(ordered(versions.map((number) => waiting(String(number), version(number))))).toBe('12345678|');
      }),
    );
  });
});
