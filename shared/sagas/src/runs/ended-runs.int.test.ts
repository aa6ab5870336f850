import { systemClock } from '@holdfast/kernel/instants';
import { defaultMarketplaceId, idFactory } from '@holdfast/kernel/ids';
import type { Database, Tx } from '@holdfast/postgres';
import { silentLog } from '@holdfast/testing/log';
import { testDatabase, type TestDatabase } from '@holdfast/testing/postgres';
import { serverStartTimeoutMs } from '@holdfast/testing/servers';
import { messagingMigrations } from '@holdfast/messaging/outbox';
import { createSagaRuns } from './saga-runs.js';
import { type EndedRun } from '../saga-run.js';

let server: TestDatabase;
let database: Database;

beforeAll(async () => {
  server = await testDatabase();
  database = await server.open({ service: 'ended-runs-test', migrations: [messagingMigrations] });
}, serverStartTimeoutMs);

afterAll(async () => {
  await server.drop();
});

describe('saga runs', () => {
  it('are counted while they are open, and reported once when they end', async () => {
    const ended: EndedRun[] = [];
    const sagaRuns = createSagaRuns({
      database,
      broker: { replyQueue: () => undefined, notify: () => undefined, onNotification: () => () => undefined },
      log: silentLog,
      retries: { firstAfterMs: 60_000, afterMsMax: 900_000 },
      deadlines: { sagas: [], afterMs: 60_000 },
      onEnded: (run) => void ended.push(run),
    });
    const run = { saga: 'reserve', aggregateId: 'ord_1', marketplaceId: defaultMarketplaceId, correlationId: 'req-1' };
    const runId = idFactory(systemClock().epochMs)('run');
    const within = (write: (tx: Tx) => void) =>
      database.inTransaction((tx) => {
        write(tx);
        return Promise.resolve();
      });
    await within((tx) => sagaRuns.startAll(tx, [{ ...run, id: runId }]));
    expect(await sagaRuns.countOpen()).toEqual([{ saga: 'reserve', count: 1, oldestSeconds: expect.any(Number) }]);
    await within((tx) => sagaRuns.closeAllWithCommit(tx, [{ runId, outcome: { status: 'failed', code: 'INSUFFICIENT_FUNDS' } }]));
    await within((tx) => sagaRuns.closeAllWithCommit(tx, [{ runId, outcome: { status: 'succeeded' } }]));
    expect(ended).toEqual([{ saga: 'reserve', outcome: 'refused', durationSeconds: expect.any(Number) }]);
    expect(await sagaRuns.countOpen()).toEqual([]);
    sagaRuns.stop();
  });
});
