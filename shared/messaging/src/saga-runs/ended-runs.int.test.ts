import type { Database } from '@holdfast/postgres';
import { silentLog } from '@holdfast/testing/log';
import { testDatabase, type TestDatabase } from '@holdfast/testing/postgres';
import { serverStartTimeoutMs } from '@holdfast/testing/servers';
import { messagingMigrations } from '../outbox/index.js';
import { createSagaRuns, type EndedRun } from './index.js';
import { closeRun, startRun } from './testing/run-writes.js';

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
    const runId = await startRun(database, sagaRuns);
    expect(await sagaRuns.countOpen()).toEqual([{ saga: 'reserve', count: 1, oldestSeconds: expect.any(Number) }]);
    await closeRun(database, sagaRuns, { runId, outcome: { status: 'failed', code: 'INSUFFICIENT_FUNDS' } });
    await closeRun(database, sagaRuns, { runId, outcome: { status: 'succeeded' } });
    expect(ended).toEqual([{ saga: 'reserve', outcome: 'refused', durationSeconds: expect.any(Number) }]);
    expect(await sagaRuns.countOpen()).toEqual([]);
    sagaRuns.stop();
  });
});
