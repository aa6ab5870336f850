import { silentLog } from '@holdfast/testing/log';
import { eventually } from '@holdfast/testing/eventually';
import type { LoggedEvent } from '../use-cases/ports.js';
import { followLog, type Tail } from './tail.js';

const stopping = new AbortController();
let log: LoggedEvent[];
let reads: number;
let shown: bigint[];
let tail: Tail;

beforeEach(async () => {
  [log, reads, shown] = [[], 0, []];
  tail = followLog({
    reader: {
      eventsAfter: (position) => {
        reads += 1;
        const found = log.filter((event) => event.position > position);
        return new Promise((resolve) => setImmediate(resolve, found));
      },
      keyChangesAfter: () => Promise.resolve([]),
    },
    from: { position: 0n, keyChange: 0n },
    pollEveryMs: 60_000,
    onEvents: (events) => shown.push(...events.map(({ position }) => position)),
    onKeyChange: () => undefined,
    log: silentLog,
    signal: stopping.signal,
  });
  await eventually(() => expect(reads).toBe(1));
  await new Promise(setImmediate);
});
afterAll(() => stopping.abort());

/** Adds events to the log that the tail reads. */
function appended(...positions: readonly bigint[]): readonly LoggedEvent[] {
  const events = positions.map((position): LoggedEvent => {
    const occurredAt = `2026-01-31T12:00:00.${position.toString().padStart(6, '0')}Z` as const;
    return { position, marketplaceId: 'mkt_1', occurredAt, eventType: 'order.closed', aggregateType: 'Order', envelope: '{}' };
  });
  log.push(...events);
  return events;
}

describe('followLog', () => {
  it('delivers events that this process has appended without a read', async () => {
    tail.feed(appended(1n, 2n));
    tail.wake(2n);
    tail.feed(appended(3n));
    await new Promise(setImmediate);
    expect(shown).toEqual([1n, 2n, 3n]);
    expect(reads).toBe(1);
  });

  it('reads the log when a position before a fed event is missing', async () => {
    appended(1n);
    tail.feed(appended(2n));
    expect(shown).toEqual([]);
    await eventually(() => expect(shown).toEqual([1n, 2n]));
  });

  it('reads the log when it is woken up with a higher position', async () => {
    tail.feed(appended(1n));
    appended(2n);
    tail.wake(2n);
    await eventually(() => expect(shown).toEqual([1n, 2n]));
  });

  it('delivers an event once that is both fed and read', async () => {
    const own = appended(1n, 2n);
    tail.wake();
    await eventually(() => expect(reads).toBe(2));
    tail.feed(own);
    tail.feed(appended(3n));
    await new Promise(setImmediate);
    tail.feed(own);
    await eventually(() => expect(shown).toEqual([1n, 2n, 3n]));
  });
});
