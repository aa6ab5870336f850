import type { Envelope } from '@holdfast/contracts/messages';
import { messagingMigrations } from '@holdfast/messaging/outbox';
import { recordAbortedRun } from '@holdfast/sagas/runs';
import type { Database, Tx } from '@holdfast/postgres';
import { eventually } from '@holdfast/testing/eventually';
import { testDatabase, type TestDatabase } from '@holdfast/testing/postgres';
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
// A worker takes every open intent of the database, also those of later tests.
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
  const once = createStoreIntentOnce({ database, outbox, intents, worker, consumer: 'test', priorities: { pay: 0 } });
  const handle = (message: Envelope) => once(message, 'pay', () => Promise.resolve(message.aggregateId));
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
    await eventually(() =>
      server.asAdmin('delete from intent_once_test.intents where id = $1 and closed_at is not null', [first.id]),
    );
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
