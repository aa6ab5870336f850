import { once } from 'node:events';
import type { Database } from '@holdfast/postgres';
import { eventually } from '@holdfast/testing/eventually';
import { testDatabase, type TestDatabase } from '@holdfast/testing/postgres';
import { intentsMigrations } from '../migrations.js';
import { LeaseLost, type Intent } from '../intent.js';
import { type Handler } from '../intent-worker.js';
import { aNewIntent, intentsProcess } from '../testing/intents-process.js';

let server: TestDatabase;
let database: Database;
beforeAll(async () => {
  server = await testDatabase();
  database = await server.open({ service: 'lost-leases-test', migrations: [intentsMigrations] });
});
afterAll(() => server.drop());

const never = 3_600_000;

/** A handler that runs until it is aborted, and its first run. */
function untilAborted() {
  const runs: { readonly intent: Intent; readonly signal: AbortSignal }[] = [];
  const handler: Handler = async (intent, signal) => {
    runs.push({ intent, signal });
    await once(signal, 'abort');
    throw new Error('aborted');
  };
  const claimed = () =>
    eventually(() => {
      const [run] = runs;
      if (run === undefined) throw new Error('no intent is claimed yet');
      return run;
    });
  return { handler, claimed };
}

describe('a run whose lease was not renewed', () => {
  it('is aborted before the lease expires', async () => {
    const { handler, claimed } = untilAborted();
    const { worker, store } = intentsProcess({ database, handler, leaseMs: 3_000 });
    await store(aNewIntent());
    const { intent, signal } = await claimed();
    await once(signal, 'abort');
    expect(signal.reason).toBeInstanceOf(LeaseLost);
    const rows = await server.asAdmin('select from lost_leases_test.intents where id = $1 and lease_until > now()', [intent.id]);
    expect(rows).toHaveLength(1);
    await worker.stop();
  });
});

describe('a lease that is required', () => {
  it('is renewed while it is held', async () => {
    const { handler, claimed } = untilAborted();
    const { worker, store, intents } = intentsProcess({ database, handler, limits: { renewEveryMs: never } });
    await store(aNewIntent());
    const { intent } = await claimed();
    await server.asAdmin(`update lost_leases_test.intents set lease_until = now() + interval '1 second' where id = $1`, [
      intent.id,
    ]);
    await intents.requireLease(intent);
    const sql = `select from lost_leases_test.intents where id = $1 and lease_until > now() + interval '30 seconds'`;
    expect(await server.asAdmin(sql, [intent.id])).toHaveLength(1);
    await worker.stop();
  });

  it.each([
    ['another process has it', `lease_owner = 'another', lease_token = lease_token + 1`],
    ['this process has it for a later run', 'lease_token = lease_token + 1'],
    ['the intent is closed', `closed_at = now(), replies = '[]', lease_owner = null, lease_until = null`],
  ])('throws LeaseLost if %s', async (_, change) => {
    const { handler, claimed } = untilAborted();
    const { worker, store, intents } = intentsProcess({ database, handler, limits: { renewEveryMs: never } });
    await store(aNewIntent());
    const { intent } = await claimed();
    await server.asAdmin(`update lost_leases_test.intents set ${change} where id = $1`, [intent.id]);
    await expect(intents.requireLease(intent)).rejects.toBeInstanceOf(LeaseLost);
    await worker.stop();
  });
});
