import { createMetrics } from '@holdfast/observability';
import { silentLog } from '@holdfast/testing/log';
import { eventually } from '@holdfast/testing/eventually';
import { createJobRunner, type JobRunner } from '@holdfast/work';
import type { LoggedEvent } from '../use-cases/ports.js';
import type { KeyChange } from './event-log.js';
import { followLog, type Tail } from './tail.js';

let log: LoggedEvent[];
let looks: number;
let reads: number;
let shown: bigint[];
let changed: string[];
let keyChanges: KeyChange[];
let isAppending: boolean;
let tail: Tail;
let jobs: JobRunner;

const pollEveryMs = 100;

beforeEach(async () => {
  [log, looks, reads, shown, changed, keyChanges, isAppending] = [[], 0, 0, [], [], [], true];
  jobs = createJobRunner({ log: silentLog, metrics: createMetrics({ service: 'notifications', processMetrics: false }) });
  tail = followLog({
    reader: {
      ends: () => {
        looks += 1;
        return Promise.resolve({ position: log.at(-1)?.position ?? 0n, keyChange: keyChanges.at(-1)?.position ?? 0n });
      },
      eventsAfter: (position) => {
        reads += 1;
        const found = log.filter((event) => event.position > position);
        return new Promise((resolve) => setImmediate(resolve, found));
      },
      keyChangesAfter: (position) => Promise.resolve(keyChanges.filter((change) => change.position > position)),
    },
    from: { position: 0n, keyChange: 0n },
    pollEveryMs,
    isAppending: () => isAppending,
    wake: jobs.wake,
    onEvents: (events) => shown.push(...events.map(({ position }) => position)),
    onKeyChange: ({ apiKeyId }) => changed.push(apiKeyId),
  });
  jobs.start([tail.job]);
  await eventually(() => expect(looks).toBe(1));
});
afterEach(() => jobs.stop());

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
    expect(reads).toBe(0);
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
    tail.wake(2n);
    await eventually(() => expect(reads).toBe(1));
    tail.feed(own);
    tail.feed(appended(3n));
    await new Promise(setImmediate);
    tail.feed(own);
    await eventually(() => expect(shown).toEqual([1n, 2n, 3n]));
  });

  it('finds the events of another process although the notification was lost', async () => {
    isAppending = false;
    tail.wake();
    await eventually(() => expect(looks).toBeGreaterThan(3));
    expect(reads).toBe(0);
    appended(1n);
    await eventually(() => expect(shown).toEqual([1n]));
  });

  it('does not poll while this process appends', async () => {
    tail.feed(appended(1n));
    tail.wake(1n);
    await new Promise((resolve) => setTimeout(resolve, 3 * pollEveryMs));
    expect([looks, reads, shown]).toEqual([1, 0, [1n]]);
  });

  it('finds the key changes of an append soon after it', async () => {
    keyChanges.push({ position: 1n, apiKeyId: 'key_1' });
    tail.wake();
    await eventually(() => expect(changed).toEqual(['key_1']));
    await eventually(() => expect(looks).toBe(3));
    await new Promise((resolve) => setTimeout(resolve, 3 * pollEveryMs));
    expect(looks).toBe(3);
  });
});
