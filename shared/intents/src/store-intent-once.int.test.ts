import type { Envelope } from '@holdfast/contracts/messages';
import { messagingMigrations } from '@holdfast/messaging/outbox';
import { connectDatabase, OutcomeUnknown, TransactionConflict, type Database, type Tx } from '@holdfast/postgres';
import { eventually } from '@holdfast/testing/eventually';
import { silentLog } from '@holdfast/testing/log';
import { startCommitProxy, testDatabase, type TestDatabase } from '@holdfast/testing/postgres';
import { createStoreIntentOnce, intentsMigrations, intentSubjects, knownSubject, type IntentSubject } from './index.js';
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

/** A subject that is read by the statement that stores the intent. */
const found = intentSubjects<{ readonly of: string }>({
  name: 'on-found-subject',
  select: `select $1::text as "intentSubject", 'a withdrawal' as of where $2`,
  parameters: 2,
});
const subjectOf = ({ aggregateId }: Envelope, exists = true): IntentSubject =>
  found({ values: [aggregateId, exists], toValue: () => undefined });

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
    priorities: { pay: 0 },
  });
  const handle = (message: Envelope) => once(message, 'pay', [knownSubject(message.aggregateId)]);
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

  it('has its first lease from the commit on, and starts it with what that one statement has read', async () => {
    const started: unknown[] = [];
    const process = intentsProcess({ database });
    const statements = jest.spyOn(database.pool, 'query');
    const worker = {
      ...process.worker,
      reserve: () => ({ start: (...given: unknown[]) => started.push(...given), giveBack: () => undefined }),
    };
    const { intents } = process;
    const once = createStoreIntentOnce<'pay', string>({ database, outbox, worker, intents, priorities: { pay: 0 } });
    const message = aMessage({ payload: { amount: '1.00' } });
    await once(message, 'pay', [found({ values: [message.aggregateId, true], toValue: ({ of }) => of })]);
    expect(statements).toHaveBeenCalledTimes(1);
    statements.mockRestore();
    const { id, aggregateId: subject, payload } = message;
    expect(started).toMatchObject([{ id, subject, leaseToken: 1, isFresh: true, attempts: 0, payload }, 'a withdrawal']);
    expect(await leaseOf(message.id)).toEqual({ token: 1, isLeased: true });
    // What it starts is what any other process would claim.
    await server.asAdmin('update intent_once_test.intents set lease_until = null, lease_token = 0');
    expect(started[0]).toEqual((await intents.claim([id]))[0]);
  });

  it('stores it on the first of the subjects that is found', async () => {
    const { process } = handling();
    const { intents, worker } = process;
    const once = createStoreIntentOnce<'pay'>({ database, outbox, intents, worker, priorities: { pay: 0 } });
    const message = aMessage();
    await once(message, 'pay', [subjectOf(message, false), subjectOf({ ...message, aggregateId: 'wd_other' })]);
    const rows = await server.asAdmin('select subject from intent_once_test.intents where id = $1', [message.id]);
    expect(rows).toEqual([{ subject: 'wd_other' }]);
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

  it('refuses it without its subject, and has room again', async () => {
    const { process, handle } = handling({ limits: { runningMax: 1 } });
    const message = aMessage();
    const { intents, worker } = process;
    const refusing = createStoreIntentOnce<'pay'>({ database, outbox, intents, worker, priorities: { pay: 0 } });
    await expect(refusing(message, 'pay', [subjectOf(message, false)])).rejects.toThrow('its subject is missing');
    await handle(message);
    expect(process.ran).toEqual([message.id]);
  });

  it('refuses it while another one on the subject is open', async () => {
    const { handle } = handling({ handler: () => Promise.resolve({ retryInMs: 3_600_000 }) });
    const [first, second] = [aMessage(), aMessage()];
    await handle(first);
    await expect(handle({ ...second, aggregateId: first.aggregateId })).rejects.toThrow('has an open one');
  });

  it('runs it once if the transaction with the lock of its subject is retried', async () => {
    const { process } = handling();
    const { intents, worker } = process;
    const once = createStoreIntentOnce<'pay'>({ database, outbox, intents, worker, priorities: { pay: 0 } });
    const message = aMessage();
    let attempts = 0;
    const lock = (): Promise<void> => {
      attempts += 1;
      return attempts === 1 ? Promise.reject(new TransactionConflict('once more')) : Promise.resolve();
    };
    await once(message, 'pay', [{ ...subjectOf(message), lock }]);
    expect({ attempts, ran: process.ran }).toEqual({ attempts: 2, ran: [message.id] });
  });

  it('runs it when the message is redelivered, if the response to the commit was lost', async () => {
    const proxy = await startCommitProxy(server.adminUrl);
    const { internalSecret } = server;
    const faulty = await connectDatabase({ adminUrl: proxy.url, service: 'intent-once-test', internalSecret, log: silentLog });
    const { process, handle } = handling({ database: faulty });
    const message = aMessage();
    proxy.setFault('lose-response', { statement: 'insert-intent-on-known-subject' });
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
  });

  it('is not in the inbox: its intent is the record that it was handled, and outlives every inbox row', async () => {
    const reply = aMessage({ type: 'withdrawal.paid' });
    const { process, handle } = handling({ replies: [reply] });
    const message = aMessage();
    await handle(message);
    expect(await server.asAdmin('select from intent_once_test.inbox where message_id = $1', [message.id])).toEqual([]);
    await eventually(async () => {
      await handle(message);
      expect(published).toContainEqual(reply);
    });
    expect(await server.asAdmin('select id from intent_once_test.intents')).toEqual([{ id: message.id }]);
    expect(process.ran).toHaveLength(1);
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
});
