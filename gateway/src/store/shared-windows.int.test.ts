import { fileURLToPath } from 'node:url';
import { systemClock } from '@holdfast/kernel/context';
import { createTopup } from '@holdfast/contracts/http';
import type { Database } from '@holdfast/postgres';
import { eventually } from '@holdfast/testing/eventually';
import { collectingLog } from '@holdfast/testing/log';
import { testDatabase, type TestDatabase } from '@holdfast/testing/postgres';
import { serverStartTimeoutMs } from '@holdfast/testing/servers';
import { createMemoryWindows } from '../memory-windows.js';
import type { RateWindows } from '../rate-limit.js';
import { createRouteLimits, parseRouteLimits } from '../route-limits.js';
import { createSharedWindows, pruneWindows } from './shared-windows.js';

let testing: TestDatabase;
let database: Database;
const log = collectingLog();

beforeAll(async () => {
  testing = await testDatabase();
  const migrations = [fileURLToPath(new URL('../../migrations', import.meta.url))];
  database = await testing.open({ service: 'gateway', migrations });
}, serverStartTimeoutMs);
afterAll(() => testing.drop());

function aReplica(windowMs: number): RateWindows {
  const local = createMemoryWindows({ windowMs, clock: systemClock() });
  return createSharedWindows({ database, local, windowMs, log });
}

describe('rate windows in Postgres', () => {
  it('count every request of all replicas once', async () => {
    const [one, two] = [aReplica(60_000), aReplica(60_000)];
    const counts = await Promise.all(
      Array.from({ length: 300 }, async (_, index) => (index % 3 === 0 ? one : two).increment(index % 2 === 0 ? 'even' : 'odd')),
    );
    const numbers = counts.map(({ used }) => used);
    const all = Array.from({ length: 150 }, (_, index) => index + 1);
    for (const rest of [0, 1]) {
      expect(numbers.filter((_, index) => index % 2 === rest).sort((a, b) => a - b)).toEqual(all);
    }
    expect(new Set(counts.filter((_, index) => index % 2 === 0).map(({ endsAtMs }) => endsAtMs)).size).toBe(1);
  });

  it('apply the limit of a route over all replicas', async () => {
    const limits = parseRouteLimits('POST /topups=5/60') ?? [];
    const replicas = [1, 2].map(() => createRouteLimits(limits, { windows: aReplica, clock: systemClock() })(createTopup));
    const key = 'post /topups key key_1';
    const counts = await Promise.all(Array.from({ length: 20 }, (_, index) => Promise.resolve(replicas[index % 2]?.count(key))));
    expect(counts.filter((one) => replicas[0]?.isExceeded(one) === false)).toHaveLength(5);
  });

  it('restart after their end, and are pruned', async () => {
    const replica = aReplica(1);
    await replica.increment('short');
    await eventually(async () => {
      await replica.increment('short');
      expect((await replica.increment('short')).used).toBeLessThanOrEqual(2);
    });
    await eventually(async () => {
      await pruneWindows(database, new AbortController().signal);
      expect(await testing.asAdmin(`select from gateway.rate_windows where key = 'short'`)).toHaveLength(0);
    });
  });

  it('continue from the last known count while the database is unavailable, and are shared again afterwards', async () => {
    const replica = aReplica(60_000);
    await replica.increment('lonely');
    await testing.setUnavailable(true);
    expect((await replica.increment('lonely')).used).toBe(2);
    expect((await replica.increment('lonely')).used).toBe(3);
    expect(
      log.lines.filter(({ fact }) => fact === 'the database is unavailable; requests are counted by this process alone'),
    ).toHaveLength(1);
    await testing.setUnavailable(false);
    await eventually(async () => {
      await replica.increment('lonely');
      expect(await testing.asAdmin(`select from gateway.rate_windows where key = 'lonely' and used > 1`)).toHaveLength(1);
    });
  });
});
