import type { MessageId } from '@holdfast/kernel/ids';
import { connectDatabase, OutcomeUnknown, TransactionConflict, type Database } from '@holdfast/postgres';
import { gate } from '@holdfast/testing/broker';
import { eventually } from '@holdfast/testing/eventually';
import { silentLog } from '@holdfast/testing/log';
import { startCommitProxy, testDatabase, type TestDatabase } from '@holdfast/testing/postgres';
import { insertIntent, intentsMigrations, LeaseLost, type Handler } from './index.js';
import { aNewIntent, intentsProcess, newId, type IntentsProcess, type ProcessOptions } from './testing/intents-process.js';

let server: TestDatabase;
let database: Database;
const service = 'insert-intent-test';

beforeAll(async () => {
  server = await testDatabase();
  database = await server.open({ service, migrations: [intentsMigrations] });
});
beforeEach(() => server.asAdmin('truncate insert_intent_test.intents'));

/** A worker that keeps running would claim the intents of the next test. */
const processes: IntentsProcess[] = [];
afterEach(() => Promise.all(processes.splice(0).map(({ stop }) => stop())));

function aProcess(options: ProcessOptions): IntentsProcess {
  const started = intentsProcess(options);
  processes.push(started);
  return started;
}

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
  it('is claimed and run after the commit', async () => {
    const { store, ran } = aProcess({ database });
    const intent = aNewIntent();
    await store(intent);
    await eventually(async () => expect(await rowOf(intent.id)).toEqual({ leaseToken: 1, isClosed: true }));
    expect(ran).toEqual([intent.id]);
  });

  it('is claimed without the job, also if the worker is just looking for due ones', async () => {
    const { opened, open: release } = gate();
    let looks = 0;
    const observe: ProcessOptions['observe'] = (intents) => ({
      ...intents,
      claimDue: async (countMax) => {
        const claimed = await intents.claimDue(countMax);
        if ((looks += 1) === 1) await opened;
        return claimed;
      },
    });
    const { store } = aProcess({ database, observe, handler: forEver });
    const [first, second] = [aNewIntent(), aNewIntent()];
    await store(first);
    await eventually(() => expect(looks).toBe(1));
    await store(second);
    release();
    await eventually(async () => expect(await rowOf(second.id)).toEqual({ leaseToken: 1, isClosed: false }));
  });

  it('is run once if it is stored again, by this process and by another one', async () => {
    const [one, other] = [aProcess({ database }), aProcess({ database })];
    const intent = aNewIntent();
    for (const { store } of [one, one, other, other]) await store(intent);
    await eventually(async () => expect(await rowOf(intent.id)).toEqual({ leaseToken: 1, isClosed: true }));
    await other.store(intent);
    expect([...one.ran, ...other.ran]).toEqual([intent.id]);
  });

  it('is run once if it is woken up while it is being claimed', async () => {
    const { worker, store, ran } = aProcess({ database, handler: forEver });
    const [woken, next] = [aNewIntent(), aNewIntent()];
    await store(woken);
    worker.wake(woken.id);
    await store(next);
    await eventually(() => expect(ran).toContain(next.id));
    expect(await rowOf(woken.id)).toMatchObject({ leaseToken: 1 });
    expect(ran).toEqual([woken.id, next.id]);
    await worker.stop();
  });

  it('is not stored if the transaction is rolled back', async () => {
    const { worker, store, ran } = aProcess({ database });
    const [refused, next] = [aNewIntent(), aNewIntent()];
    const rolledBack = database.inTransaction((tx) => {
      insertIntent(() => worker)(tx, refused);
      return Promise.reject(new Error('refused'));
    });
    await expect(rolledBack).rejects.toThrow('refused');
    await store(next);
    await eventually(async () => expect(await rowOf(next.id)).toMatchObject({ isClosed: true }));
    expect(await rowOf(refused.id)).toBeUndefined();
    expect(ran).toEqual([next.id]);
  });

  it('is run once if the transaction is retried', async () => {
    const { worker, ran } = aProcess({ database });
    const intent = aNewIntent();
    let attempts = 0;
    await database.inTransaction((tx) => {
      attempts += 1;
      insertIntent(() => worker)(tx, intent);
      return attempts === 1 ? Promise.reject(new TransactionConflict('once more')) : Promise.resolve();
    });
    await eventually(async () => expect(await rowOf(intent.id)).toEqual({ leaseToken: 1, isClosed: true }));
    expect({ attempts, ran }).toEqual({ attempts: 2, ran: [intent.id] });
  });

  it('waits while the worker is busy, and another process may run it', async () => {
    const busy = aProcess({ database, handler: forEver, limits: { runningMax: 1 } });
    const [first, second] = [aNewIntent(), aNewIntent()];
    await busy.store(first);
    await eventually(() => expect(busy.ran).toEqual([first.id]));
    await busy.store(second);
    const idle = aProcess({ database, limits: { lookEveryMs: 100, pollMs: 50 } });
    idle.start();
    await eventually(async () => expect(await rowOf(second.id)).toMatchObject({ isClosed: true }));
    await busy.worker.stop();
    await eventually(async () => expect(await rowOf(first.id)).toMatchObject({ isClosed: true }));
    expect(busy.ran).toEqual([first.id]);
    await idle.stop();
  });

  it('is offered to the other processes while this one has no room', async () => {
    const idle = aProcess({ database, limits: { pollMs: 50 } });
    const busy = aProcess({
      database,
      handler: forEver,
      limits: { runningMax: 1, pollMs: 50 },
      wakeReplicas: idle.wakeJob,
    });
    const query = jest.spyOn(database.pool, 'query');
    idle.start();
    await eventually(() => expect(query).toHaveBeenCalled()); // its look has found nothing: the next one is in ten seconds
    query.mockRestore();
    busy.start();
    const [first, second] = [aNewIntent(), aNewIntent()];
    await busy.store(first);
    await eventually(() => expect(busy.ran).toEqual([first.id]));
    await busy.store(second);
    await eventually(() => expect(idle.ran).toEqual([second.id]), { timeoutMs: 8_000 });
    await Promise.all([busy.stop(), idle.stop()]);
  });

  it('is refused while another intent on the same subject is open', async () => {
    const busy = aProcess({ database, handler: forEver });
    const subject = newId('wd');
    await busy.store(aNewIntent({ subject }));
    await expect(busy.store(aNewIntent({ subject }))).rejects.toMatchObject({ code: '23505' });
    await busy.worker.stop();
  });

  it('may act on a part of a subject while other parts of it have open intents', async () => {
    const busy = aProcess({ database, handler: forEver });
    const subject = newId('esc');
    for (const subjectPart of ['draft', 'final']) await busy.store(aNewIntent({ subject, subjectPart }));
    await expect(busy.store(aNewIntent({ subject, subjectPart: 'final' }))).rejects.toMatchObject({ code: '23505' });
    await busy.worker.stop();
  });

  it('is found by the poll if the response to the commit was lost', async () => {
    const proxy = await startCommitProxy(server.adminUrl);
    const { internalSecret } = server;
    const faulty = await connectDatabase({ adminUrl: proxy.url, service, internalSecret, log: silentLog });
    const { store, start, stop, ran } = aProcess({ database: faulty, limits: { pollMs: 50 } });
    const intent = aNewIntent();
    proxy.setFault('lose-response');
    await expect(store(intent)).rejects.toBeInstanceOf(OutcomeUnknown);
    proxy.setFault('none');
    start();
    await eventually(async () => expect(await rowOf(intent.id)).toMatchObject({ isClosed: true }));
    expect(ran).toEqual([intent.id]);
    await stop();
    await faulty.close();
    await proxy.close();
  });
});

describe('an intent that a dead process left', () => {
  it('is taken over when its lease ends, without a statement in between', async () => {
    const dead = aProcess({ database, handler: forEver, leaseMs: 1_500 });
    const intent = aNewIntent();
    await dead.store(intent);
    await eventually(() => expect(dead.ran).toEqual([intent.id]));
    const survivor = aProcess({ database, limits: { pollMs: 50 } });
    const query = jest.spyOn(database.pool, 'query');
    survivor.start();
    await eventually(() => expect(survivor.ran).toEqual([intent.id]));
    const statements = query.mock.calls.map(([sql]) => (typeof sql === 'object' && 'name' in sql ? sql.name : sql));
    query.mockRestore();
    expect(statements.slice(0, 2)).toEqual(['next-due-intent', 'claim-due-intents']);
    await Promise.all([dead.stop(), survivor.stop()]);
  });
});

describe('an intent whose lease was lost', () => {
  it('is not closed', async () => {
    const busy = aProcess({ database, handler: forEver });
    const intent = aNewIntent();
    await busy.store(intent);
    await eventually(() => expect(busy.ran).toEqual([intent.id]));
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
