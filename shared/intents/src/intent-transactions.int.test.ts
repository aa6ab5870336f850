import type { MessageId } from '@holdfast/kernel/ids';
import { messagingMigrations } from '@holdfast/messaging/outbox';
import { recordAbortedRun } from '@holdfast/messaging/saga-runs';
import { connectDatabase, OutcomeUnknown, TransactionConflict, type Database } from '@holdfast/postgres';
import { eventually } from '@holdfast/testing/eventually';
import { silentLog } from '@holdfast/testing/log';
import { startCommitProxy, testDatabase, type TestDatabase } from '@holdfast/testing/postgres';
import { intentsMigrations, LeaseLost, type Handler } from './index.js';
import { aNewIntent, intentsProcess, newId } from './testing/intents-process.js';

let server: TestDatabase;
let database: Database;
const service = 'intent-transactions-test';

beforeAll(async () => {
  server = await testDatabase();
  database = await server.open({ service, migrations: [messagingMigrations, intentsMigrations] });
}, 120_000);
afterAll(() => server.drop());

type Row = { readonly leaseToken: number; readonly isClosed: boolean };

async function rowOf(id: MessageId): Promise<Row | undefined> {
  const text = `select lease_token as "leaseToken", closed_at is not null as "isClosed" from intents where id = $1`;
  return (await database.pool.query<Row>(text, [id])).rows[0];
}

const forEver: Handler = (_, signal) =>
  new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(new Error('stopped')));
  });

describe('an intent that is stored in a transaction', () => {
  it('is started without a claim after the commit', async () => {
    const { inTransaction, ran } = intentsProcess({ database });
    const intent = aNewIntent();
    const result = await inTransaction(async (_, add) => {
      expect(await add(intent)).toBe(true);
      expect(ran).toEqual([]);
      return 'done';
    });
    expect(result).toBe('done');
    await eventually(async () => expect(await rowOf(intent.id)).toEqual({ leaseToken: 1, isClosed: true }));
    expect(ran).toEqual([intent.id]);
  });

  it('is run once if it is stored again, by this process and by another one', async () => {
    const [one, other] = [intentsProcess({ database }), intentsProcess({ database })];
    const intent = aNewIntent();
    const stored = await Promise.all([one, one, other, other].map((each) => each.inTransaction((_, add) => add(intent))));
    expect(stored.filter(Boolean)).toHaveLength(1);
    await eventually(async () => expect(await rowOf(intent.id)).toEqual({ leaseToken: 1, isClosed: true }));
    expect(await other.inTransaction((_, add) => add(intent))).toBe(false);
    expect([...one.ran, ...other.ran]).toEqual([intent.id]);
  });

  it('is not stored if the transaction is rolled back, and its slot is free again', async () => {
    const { inTransaction, ran } = intentsProcess({ database, limits: { runningMax: 1 } });
    const [refused, next] = [aNewIntent(), aNewIntent()];
    const rolledBack = inTransaction(async (_, add) => {
      await add(refused);
      throw new Error('refused');
    });
    await expect(rolledBack).rejects.toThrow('refused');
    await inTransaction((_, add) => add(next));
    await eventually(async () => expect(await rowOf(next.id)).toEqual({ leaseToken: 1, isClosed: true }));
    expect(await rowOf(refused.id)).toBeUndefined();
    expect(ran).toEqual([next.id]);
  });

  it('is started once if the transaction is retried', async () => {
    const { inTransaction, ran } = intentsProcess({ database });
    const intent = aNewIntent();
    let attempts = 0;
    await inTransaction(async (_, add) => {
      attempts += 1;
      await add(intent);
      if (attempts === 1) throw new TransactionConflict('once more');
    });
    await eventually(async () => expect(await rowOf(intent.id)).toEqual({ leaseToken: 1, isClosed: true }));
    expect({ attempts, ran }).toEqual({ attempts: 2, ran: [intent.id] });
  });

  it('is claimed where the worker has no slot for it', async () => {
    const { inTransaction, ran } = intentsProcess({ database });
    const intents = [aNewIntent(), aNewIntent()];
    await inTransaction(async (_, add) => {
      for (const intent of intents) await add(intent);
    });
    for (const { id } of intents) await eventually(async () => expect(await rowOf(id)).toMatchObject({ isClosed: true }));
    expect(ran.toSorted()).toEqual(intents.map(({ id }) => id).toSorted());
  });

  it('waits for a slot while the worker is busy', async () => {
    const busy = intentsProcess({ database, handler: forEver, limits: { runningMax: 1, drainTimeoutMs: 1_000 } });
    const [first, second] = [aNewIntent(), aNewIntent()];
    for (const intent of [first, second]) await busy.inTransaction((_, add) => add(intent));
    await eventually(() => expect(busy.ran).toEqual([first.id]));
    expect(await rowOf(second.id)).toEqual({ leaseToken: 0, isClosed: false });
    await busy.worker.stop();
    const idle = intentsProcess({ database });
    idle.worker.start();
    for (const { id } of [first, second]) await eventually(async () => expect(await rowOf(id)).toMatchObject({ isClosed: true }));
    await idle.worker.stop();
  });

  it('is not stored for an aborted saga run', async () => {
    const { inTransaction } = intentsProcess({ database });
    const intent = aNewIntent({ saga: 'withdraw', sagaRunId: newId('run') });
    await database.inTransaction((tx) => {
      recordAbortedRun(tx, intent.sagaRunId ?? newId('run'), []);
      return Promise.resolve();
    });
    expect(await inTransaction((_, add) => add(intent))).toBe(false);
    expect(await rowOf(intent.id)).toBeUndefined();
  });

  it('is refused while another intent on the same subject is open', async () => {
    const busy = intentsProcess({ database, handler: forEver, limits: { drainTimeoutMs: 1_000 } });
    const subject = newId('wd');
    await busy.inTransaction((_, add) => add(aNewIntent({ subject })));
    await expect(busy.inTransaction((_, add) => add(aNewIntent({ subject })))).rejects.toMatchObject({ code: '23505' });
    await busy.worker.stop();
    await server.asAdmin('delete from intent_transactions_test.intents where subject = $1', [subject]);
  });

  it('is started at once although the response to the commit was lost', async () => {
    const proxy = await startCommitProxy(server.adminUrl);
    const { internalSecret } = server;
    const faulty = await connectDatabase({ adminUrl: proxy.url, service, internalSecret, log: silentLog });
    const { inTransaction, ran } = intentsProcess({ database: faulty });
    const intent = aNewIntent();
    proxy.setFault('lose-response');
    await expect(inTransaction((_, add) => add(intent))).rejects.toBeInstanceOf(OutcomeUnknown);
    proxy.setFault('none');
    await eventually(async () => expect(await rowOf(intent.id)).toMatchObject({ isClosed: true }));
    expect(ran).toEqual([intent.id]);
    await faulty.close();
    await proxy.close();
  });
});

describe('an intent whose lease was lost', () => {
  it('is not closed', async () => {
    const busy = intentsProcess({ database, handler: forEver, limits: { drainTimeoutMs: 1_000 } });
    const intent = aNewIntent();
    await busy.inTransaction((_, add) => add(intent));
    const close = (leaseToken: number) =>
      database.inTransaction((tx) =>
        busy.intents.close(tx, { id: intent.id, leaseToken }, { replies: [], at: intent.requestedAt }),
      );
    await expect(close(0)).rejects.toBeInstanceOf(LeaseLost);
    expect(await rowOf(intent.id)).toMatchObject({ isClosed: false });
    await close(1);
    await expect(close(1)).rejects.toBeInstanceOf(LeaseLost);
    await busy.worker.stop();
  });
});
