import { createMetrics } from '@holdfast/observability';
import type { Database } from '@holdfast/postgres';
import { collectingLog } from '@holdfast/testing/log';
import { testDatabase, type TestDatabase } from '@holdfast/testing/postgres';
import { createSpendingCap, spendingCapReached, type SpendingCapOptions } from './spending-cap.js';
import { IntentPaused } from '../intent.js';
import { intentsMigrations } from '../migrations.js';

let server: TestDatabase;
let database: Database;

beforeAll(async () => {
  server = await testDatabase();
  database = await server.open({ service: 'intents-test', migrations: [intentsMigrations] });
});
beforeEach(() => server.asAdmin('truncate intents_test.spendings'));
afterAll(() => server.drop());

function aReplica(given: Partial<SpendingCapOptions> = {}) {
  const metrics = createMetrics({ service: 'test', processMetrics: false });
  const log = collectingLog();
  const cap = createSpendingCap({ database, metrics, log, name: 'test', unitsMax: 100n, ...given });
  const isReached = async () => (await metrics.gauge(spendingCapReached).get()).values[0]?.value === 1;
  return { ...cap, isReached, log };
}

const ageAll = (): Promise<unknown> =>
  server.asAdmin(`update intents_test.spendings set begun_at = begun_at - interval '61 minutes'`);

describe('a spending cap', () => {
  it('lets payments pass up to the cap, then they wait, which is logged once and shown by a gauge', async () => {
    const cap = aReplica();
    await cap.begin('one', 60n);
    await cap.begin('two', 40n);
    expect(await cap.isReached()).toBe(false);
    await expect(cap.begin('three', 1n)).rejects.toThrow(IntentPaused);
    await expect(cap.begin('three', 1n)).rejects.toMatchObject({ reason: 'the spending cap test is reached' });
    expect(await cap.isReached()).toBe(true);
    expect(cap.log.lines.filter(({ fact }) => fact.startsWith('spending cap reached'))).toHaveLength(1);
  });

  it('counts a retried payment once', async () => {
    const cap = aReplica();
    await cap.begin('one', 60n);
    await cap.begin('one', 60n);
    await cap.begin('two', 40n);
    await cap.begin('two', 40n);
  });

  it('counts only the last hour', async () => {
    const cap = aReplica();
    await cap.begin('one', 100n);
    await expect(cap.begin('two', 100n)).rejects.toThrow(IntentPaused);
    await ageAll();
    await cap.begin('two', 100n);
    expect(await cap.isReached()).toBe(false);
    await expect(cap.begin('one', 1n)).rejects.toThrow(IntentPaused);
  });

  it('is never exceeded by concurrent payments of several replicas', async () => {
    const [one, other] = [aReplica(), aReplica()];
    const results = await Promise.allSettled(
      Array.from({ length: 40 }, (_, index) => (index % 2 === 0 ? one : other).begin(`payment ${index}`, 7n)),
    );
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(14);
  });

  it('counts each name on its own, and without a cap nothing', async () => {
    await aReplica().begin('one', 100n);
    await aReplica({ name: 'another' }).begin('one', 100n);
    await aReplica({ unitsMax: undefined }).begin('two', 1_000n);
    expect(await server.asAdmin('select cap from intents_test.spendings order by cap')).toEqual([
      { cap: 'another' },
      { cap: 'test' },
    ]);
  });
});
