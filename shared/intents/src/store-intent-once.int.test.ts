import type { Envelope } from '@holdfast/contracts/messages';
import { messagingMigrations } from '@holdfast/messaging/outbox';
import { recordAbortedRun } from '@holdfast/sagas/runs';
import { connectDatabase, OutcomeUnknown, TransactionConflict, type Database, type Tx } from '@holdfast/postgres';
import { eventually } from '@holdfast/testing/eventually';
import { silentLog } from '@holdfast/testing/log';
import { startCommitProxy, testDatabase, type TestDatabase } from '@holdfast/testing/postgres';
import { createStoreIntentOnce, intentsMigrations } from './index.js';
import { aMessage, intentsProcess, newId, type IntentsProcess } from './testing/intents-process.js';

let server: TestDatabase;
let database: Database;
let published: Envelope[];
const started: IntentsProcess[] = [];

beforeAll(async () => {
  server = await testDatabase();
  database = await server.open({ service: 'intent-once-test', migrations: [messagingMigrations, intentsMigrations] });
});
beforeEach(async () => {
  published = [];
  await server.asAdmin('truncate intent_once_test.intents');
});
// A worker takes every open intent of the database, also the intents of later tests.
afterEach(() => Promise.all(started.splice(0).map(({ worker }) => worker.stop())));
afterAll(() => server.drop());

const outbox = {
  republish: (tx: Tx, envelopes: readonly Envelope[]) => {
    tx.afterCommit(() => published.push(...envelopes));
    return Promise.resolve();
  },
};

type Handling = { readonly process: IntentsProcess; readonly handle: (message: Envelope) => Promise<unknown> };

function handling(options: Partial<Parameters<typeof intentsProcess>[0]> = {}): Handling {
  const process = intentsProcess({ database, ...options });
  started.push(process);
  const { intents, worker } = process;
  const once = createStoreIntentOnce({
    database: options.database ?? database,
    outbox,
    intents,
    worker,
    consumer: 'test',
    priorities: { pay: 0 },
  });
  const handle = (message: Envelope) => once(message, 'pay', () => Promise.resolve({ id: message.aggregateId }));
  return { process, handle };
}

describe('the intent of a message', () => {
  it('has what its replies need, and the payload', async () => {
    const { process, handle } = handling();
    const message = aMessage({ saga: 'withdraw', sagaRunId: newId('run'), payload: { amount: '1.00' } });
    await handle(message);
    await eventually(() => expect(process.ran).toEqual([message.id]));
    const [row] = await server.asAdmin(
      'select subject, saga, saga_run_id, payload, priority from intent_once_test.intents where id = $1',
      [message.id],
    );
    const { saga, sagaRunId: saga_run_id, payload, aggregateId: subject } = message;
    expect(row).toEqual({ subject, saga, saga_run_id, payload, priority: 0 });
  });
});

describe('the process that stores an intent', () => {
  const leaseOf = async (id: string) => {
    const [row] = await server.asAdmin<{ readonly token: number; readonly isLeased: boolean }>(
      'select lease_token as token, lease_until > now() as "isLeased" from intent_once_test.intents where id = $1',
      [id],
    );
    return row;
  };

  it('has its first lease from the commit on, and starts it with what the transaction has read', async () => {
    const found: unknown[] = [];
    const process = intentsProcess({ database });
    const statements = jest.spyOn(database.pool, 'query');
    const worker = {
      ...process.worker,
      reserve: () => ({ start: (...given: unknown[]) => found.push(...given), giveBack: () => undefined }),
    };
    const once = createStoreIntentOnce<'pay', string>({
      database,
      outbox,
      worker,
      intents: process.intents,
      consumer: 'test',
      priorities: { pay: 0 },
    });
    const message = aMessage();
    await once(message, 'pay', () => Promise.resolve({ id: message.aggregateId, value: 'a withdrawal' }));
    expect(statements).not.toHaveBeenCalled();
    statements.mockRestore();
    expect(found).toMatchObject([{ id: message.id, leaseToken: 1, isFresh: true, attempts: 0, payload: {} }, 'a withdrawal']);
    expect(await leaseOf(message.id)).toEqual({ token: 1, isLeased: true });
  });

  it('leaves it without a lease while it runs as many as it may, and never runs more', async () => {
    let running = 0;
    let most = 0;
    let letGo = (): void => undefined;
    const isLetGo = new Promise<void>((resolve) => (letGo = resolve));
    const { process, handle } = handling({
      limits: { runningMax: 2, pollMs: 20 },
      handler: async (intent) => {
        running += 1;
        most = Math.max(most, running);
        await isLetGo;
        running -= 1;
        await database.inTransaction((tx) => process.intents.close(tx, intent, { replies: [], at: intent.requestedAt }));
        return 'closed';
      },
    });
    const messages = Array.from({ length: 6 }, () => aMessage());
    await Promise.all(messages.map(handle));
    await eventually(() => expect(running).toBe(2));
    const tokens = await Promise.all(messages.map(async ({ id }) => (await leaseOf(id))?.token));
    expect(tokens.toSorted()).toEqual([0, 0, 0, 0, 1, 1]);
    process.start();
    letGo();
    await eventually(() => expect(process.ran).toHaveLength(6));
    expect(most).toBe(2);
    await process.stop();
  });

  it('has room again if the intent is not stored', async () => {
    const { process, handle } = handling({ limits: { runningMax: 1 } });
    const message = aMessage();
    const { intents, worker } = process;
    const refusing = createStoreIntentOnce({ database, outbox, intents, worker, consumer: 'test', priorities: { pay: 0 } });
    await expect(refusing(message, 'pay', () => Promise.reject(new Error('no withdrawal')))).rejects.toThrow('no withdrawal');
    await handle(message);
    expect(process.ran).toEqual([message.id]);
  });

  it('runs it once if the transaction is retried', async () => {
    const { process } = handling();
    const { intents, worker } = process;
    const once = createStoreIntentOnce({ database, outbox, intents, worker, consumer: 'test', priorities: { pay: 0 } });
    const message = aMessage();
    let attempts = 0;
    await once(message, 'pay', () => {
      attempts += 1;
      return attempts === 1 ? Promise.reject(new TransactionConflict('once more')) : Promise.resolve({ id: message.aggregateId });
    });
    expect({ attempts, ran: process.ran }).toEqual({ attempts: 2, ran: [message.id] });
  });

  it('runs it when the message is redelivered, if the response to the commit was lost', async () => {
    const proxy = await startCommitProxy(server.adminUrl);
    const { internalSecret } = server;
    const faulty = await connectDatabase({ adminUrl: proxy.url, service: 'intent-once-test', internalSecret, log: silentLog });
    const { process, handle } = handling({ database: faulty });
    const message = aMessage();
    proxy.setFault('lose-response');
    await expect(handle(message)).rejects.toBeInstanceOf(OutcomeUnknown);
    proxy.setFault('none');
    expect(await leaseOf(message.id)).toEqual({ token: 1, isLeased: true });
    expect(process.ran).toEqual([]);
    await handle(message);
    await eventually(() => expect(process.ran).toEqual([message.id]));
    await process.stop();
    await faulty.close();
    await proxy.close();
  });
});

describe('a redelivered message', () => {
  it('stores one intent when both deliveries are handled at the same time', async () => {
    const { process, handle } = handling();
    const message = aMessage({ saga: 'withdraw', sagaRunId: newId('run') });
    await Promise.all([handle(message), handle(message)]);
    await eventually(() => expect(process.ran).toEqual([message.id]));
    const [inbox] = await server.asAdmin('select count(*)::int from intent_once_test.inbox where message_id = $1', [message.id]);
    expect(inbox).toEqual({ count: 1 });
  });

  it('stores nothing where its inbox row outlives the intent, nor where the intent outlives its inbox row', async () => {
    const reply = aMessage({ type: 'withdrawal.paid' });
    const { process, handle } = handling({ replies: [reply] });
    const [first, second] = [aMessage(), aMessage()];
    await handle(first);
    await handle(second);
    await eventually(() => expect(process.ran).toHaveLength(2));
    const deleteClosed = 'delete from intent_once_test.intents where id = $1 and closed_at is not null returning id';
    await eventually(async () => expect(await server.asAdmin(deleteClosed, [first.id])).toEqual([{ id: first.id }]));
    await server.asAdmin('delete from intent_once_test.inbox where message_id = $1', [second.id]);
    await handle(first);
    await eventually(async () => {
      await handle(second);
      expect(published).toContainEqual(reply);
    });
    const rows = await server.asAdmin('select id from intent_once_test.intents');
    expect(rows).toEqual([{ id: second.id }]);
    expect(process.ran).toHaveLength(2);
  });

  it('has its stored replies published again once the intent is closed', async () => {
    const reply = aMessage({ type: 'withdrawal.paid' });
    const { process, handle } = handling({ replies: [reply] });
    const message = aMessage();
    await handle(message);
    await eventually(async () => {
      await handle(message);
      expect(published).toContainEqual(reply);
    });
    expect(process.ran).toEqual([message.id]);
  });

  it('wakes the worker up while the intent is open', async () => {
    let runs = 0;
    const { handle } = handling({
      handler: () => Promise.resolve({ retryInMs: (runs += 1) * 3_600_000 }),
      limits: { runningMax: 1 },
    });
    const message = aMessage();
    await handle(message);
    await eventually(() => expect(runs).toBe(1));
    await eventually(async () => {
      await handle(message);
      expect(runs).toBeGreaterThan(1);
    });
    expect(published).toEqual([]);
  });

  it('of an aborted saga run gets the replies to the abort', async () => {
    const { process, handle } = handling();
    const sagaRunId = newId('run');
    const reply = aMessage({ type: 'withdrawal.failed', sagaRunId });
    await database.inTransaction((tx) => {
      recordAbortedRun(tx, sagaRunId, [reply]);
      return Promise.resolve();
    });
    await handle(aMessage({ saga: 'withdraw', sagaRunId }));
    expect(published).toEqual([reply]);
    expect(process.ran).toEqual([]);
  });
});
