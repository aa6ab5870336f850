import type { Envelope } from '@holdfast/contracts/messages';
import { messagingMigrations } from '@holdfast/messaging/outbox';
import { findAbortedRuns, recordAbortedRun } from '@holdfast/sagas/runs';
import type { Database, Tx } from '@holdfast/postgres';
import { eventually } from '@holdfast/testing/eventually';
import { testDatabase, type TestDatabase } from '@holdfast/testing/postgres';
import { createStoreIntentOnce, insertIntent, intentsMigrations, type NewIntent, type StoreIntentOnce } from './index.js';
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
  addEnvelopes: (tx: Tx, envelopes: readonly Envelope[]) => {
    tx.afterCommit(() => published.push(...envelopes));
    return Promise.resolve();
  },
};

type Handling = { readonly process: IntentsProcess; readonly handle: (message: Envelope) => Promise<void> };

function handling(options: Partial<Parameters<typeof intentsProcess>[0]> = {}): Handling {
  const process = intentsProcess({ database, ...options });
  started.push(process);
  const { intents, worker } = process;
  const insert = insertIntent(() => worker);
  const storeNew = (intent: NewIntent): Promise<boolean> =>
    database.inTransaction(async (tx) => {
      const aborted = await findAbortedRuns(tx, intent.sagaRunId === undefined ? [] : [intent.sagaRunId]);
      if (aborted.size > 0 || (await intents.findReplies(tx, intent.id)) !== undefined) return false;
      insert(tx, intent);
      return true;
    });
  const once: StoreIntentOnce<'pay'> = createStoreIntentOnce({ database, outbox, intents, worker, priorities: { pay: 0 } });
  const handle = (message: Envelope): Promise<void> =>
    once(message, 'pay', (intent) => storeNew({ ...intent, subject: message.aggregateId }));
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
