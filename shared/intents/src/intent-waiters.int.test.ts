import { messagingMigrations } from '@holdfast/messaging/outbox';
import type { Database } from '@holdfast/postgres';
import { eventually } from '@holdfast/testing/eventually';
import { testDatabase, type TestDatabase } from '@holdfast/testing/postgres';
import { intentsMigrations, type Handler } from './index.js';
import { aNewIntent, intentsProcess, type IntentsProcess } from './testing/intents-process.js';

let server: TestDatabase;
let database: Database;
const never = 3_600_000;
const longTimeoutMs = 20_000;

beforeAll(async () => {
  server = await testDatabase();
  database = await server.open({ service: 'intent-waiters-test', migrations: [messagingMigrations, intentsMigrations] });
});
afterAll(() => server.drop());

async function aStoredIntent({ store }: IntentsProcess): Promise<string> {
  const intent = aNewIntent();
  await store(intent);
  return intent.id;
}

const forEver: Handler = (_, signal) =>
  new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(new Error('stopped')));
  });

describe('a request that waits for an intent', () => {
  it('resolves when this process closes it, without a poll', async () => {
    const process = intentsProcess({ database, limits: { waitersPollMs: never } });
    for (let round = 0; round < 20; round += 1) {
      const id = await aStoredIntent(process);
      expect(await process.worker.waitUntilClosed(id, longTimeoutMs)).toBe(true);
    }
  });

  it('resolves at once if it was closed before', async () => {
    const process = intentsProcess({ database, limits: { waitersPollMs: never } });
    const id = await aStoredIntent(process);
    await process.worker.waitUntilClosed(id, longTimeoutMs);
    expect(await process.worker.waitUntilClosed(id, longTimeoutMs)).toBe(true);
  });

  it('resolves when another process closes it, however many wait', async () => {
    const waiting = intentsProcess({ database, limits: { waitersPollMs: 20 } });
    const intents = Array.from({ length: 5 }, () => aNewIntent());
    const waits = intents.flatMap(({ id }) => [1, 2].map(() => waiting.worker.waitUntilClosed(id, longTimeoutMs)));
    const other = intentsProcess({ database });
    for (const intent of intents) await other.store(intent);
    expect(new Set(await Promise.all(waits))).toEqual(new Set([true]));
    expect(waiting.ran).toEqual([]);
  });

  it('resolves when another process takes over after the lease of this one was lost', async () => {
    const waiting = intentsProcess({
      database,
      handler: forEver,
      leaseMs: 200,
      limits: { waitersPollMs: 20, renewEveryMs: never },
    });
    const id = await aStoredIntent(waiting);
    const wait = waiting.worker.waitUntilClosed(id, longTimeoutMs);
    const other = intentsProcess({ database, limits: { pollMs: 50 } });
    other.start();
    expect(await wait).toBe(true);
    expect(other.ran).toEqual([id]);
    await Promise.all([waiting.stop(), other.stop()]);
  });

  it('gets false at the time limit and when the process stops; the intent stays open', async () => {
    const process = intentsProcess({ database, handler: forEver });
    const { worker, intents } = process;
    const id = await aStoredIntent(process);
    expect(await worker.waitUntilClosed(id, 1)).toBe(false);
    const stopped = worker.waitUntilClosed(id, longTimeoutMs);
    await worker.stop();
    expect(await stopped).toBe(false);
    expect(await worker.waitUntilClosed(id, longTimeoutMs)).toBe(false);
    expect(await intents.findClosed([id])).toEqual([]);
    await server.asAdmin('truncate intent_waiters_test.intents');
  });

  it('gets false before its connection ends when the process begins to stop', async () => {
    const stopping = new AbortController();
    const process = intentsProcess({ database, handler: forEver, signal: stopping.signal, limits: { stopGraceMs: 10 } });
    const waiting = process.worker.waitUntilClosed(await aStoredIntent(process), longTimeoutMs);
    stopping.abort();
    expect(await waiting).toBe(false);
    await process.worker.stop();
    await server.asAdmin('truncate intent_waiters_test.intents');
  });

  it('goes on while the database is unavailable', async () => {
    const process = intentsProcess({ database, limits: { waitersPollMs: 20 } });
    const intent = aNewIntent();
    const wait = process.worker.waitUntilClosed(intent.id, longTimeoutMs);
    await server.setUnavailable(true);
    await eventually(() => expect(process.intents.findClosed([intent.id])).rejects.toThrow());
    await server.setUnavailable(false);
    const other = intentsProcess({ database });
    await eventually(() => other.store(intent));
    expect(await wait).toBe(true);
  });
});
