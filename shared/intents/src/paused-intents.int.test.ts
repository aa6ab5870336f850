import { defaultMarketplaceId } from '@holdfast/kernel/ids';
import type { Database } from '@holdfast/postgres';
import { eventually } from '@holdfast/testing/eventually';
import { runJobs } from '@holdfast/testing/jobs';
import { collectingLog } from '@holdfast/testing/log';
import { testDatabase, type TestDatabase } from '@holdfast/testing/postgres';
import { createIntentWorker, IntentPaused, intentsMigrations, intentStore } from './index.js';

let server: TestDatabase;
let database: Database;

beforeAll(async () => {
  server = await testDatabase();
  database = await server.open({ service: 'intents-test', migrations: [intentsMigrations] });
});
afterAll(() => server.drop());

describe('a paused intent', () => {
  it('is run again later without counting attempts, and continues when nothing pauses it any more', async () => {
    await server.asAdmin(
      `insert into intents_test.intents (id, kind, subject, priority, marketplace_id, correlation_id, payload)
       values ('evt_1', 'pay', 'wd_1', 1, $1, 'test', '{}')`,
      [defaultMarketplaceId],
    );
    let isPaused = true;
    const attempts: number[] = [];
    const log = collectingLog();
    const worker = createIntentWorker({
      store: intentStore({ database, owner: 'this process', leaseMs: 60_000 }),
      handlers: {
        pay: async (intent) => {
          attempts.push(intent.attempts);
          if (isPaused) throw new IntentPaused('of the test', 10);
          await server.asAdmin(`update intents_test.intents set closed_at = now(), replies = '[]'`);
          return 'closed';
        },
      },
      log,
      limits: { pollMs: 20 },
      wake: () => undefined,
      wakeReplicas: () => undefined,
    });
    const runner = runJobs(...worker.jobs);
    try {
      await eventually(() => expect(attempts.length).toBeGreaterThan(10));
      isPaused = false;
      await eventually(async () =>
        expect(await server.asAdmin('select attempts, closed_at is null as "isOpen" from intents_test.intents')).toEqual([
          { attempts: 0, isOpen: false },
        ]),
      );
      expect(new Set(attempts)).toEqual(new Set([0]));
      expect(log.lines).toEqual([]);
    } finally {
      await runner.stop();
      await worker.stop();
    }
  });
});
