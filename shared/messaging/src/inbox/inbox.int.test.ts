import type { Context } from '@holdfast/kernel/context';
import { idFactory } from '@holdfast/kernel/ids';
import type { Database } from '@holdfast/postgres';
import { on } from '@holdfast/service-kit';
import { manualClock } from '@holdfast/testing/clock';
import { collectingLog, silentLog } from '@holdfast/testing/log';
import { testDatabase, type TestDatabase } from '@holdfast/testing/postgres';
import { serverStartTimeoutMs } from '@holdfast/testing/servers';
import { NewerVersionError, NonRetryableError, toEnvelope, type Delivery } from '../broker/index.js';
import { deliverTo, type MessageConsumer } from './deliver.js';
import { handleOnce, insertHandledMessages, pruneInbox, recordIfNew, recordNewMessages } from './inbox.js';
import { messagingMigrations } from '../outbox/index.js';
import { aNotice, noticePosted } from '../outbox/testing/notices.js';

const clock = manualClock();
const newId = idFactory(clock.epochMs);
let server: TestDatabase;
let database: Database;

beforeAll(async () => {
  server = await testDatabase();
  const own = server.migrations({ '0001-effects.sql': 'create table effects (text text not null);' });
  database = await server.open({ service: 'inbox-test', migrations: [messagingMigrations, own] });
}, serverStartTimeoutMs);

beforeEach(async () => {
  await database.pool.query('delete from inbox');
  await database.pool.query('delete from effects');
});

afterAll(async () => {
  await server.drop();
});

function envelope(text: string) {
  return toEnvelope({ clock, newId }, noticePosted, aNotice(text));
}

async function effects(): Promise<readonly string[]> {
  const { rows } = await database.pool.query<{ text: string }>('select text from effects order by text');
  return rows.map((row) => row.text);
}

/** A consumer as in a service: the declared message, the inbox guard and the effect. */
const noticeConsumer = (): MessageConsumer =>
  on(
    noticePosted,
    handleOnce({ database, consumer: 'inbox-test' }, async (tx, { payload }) => {
      await tx.query('insert into effects (text) values ($1)', [payload.text]);
    }),
  );

describe('the inbox', () => {
  it('applies the effect of a message once for repeated and concurrent deliveries', async () => {
    const deliver = deliverTo([noticeConsumer()], { service: 'inbox-test', clock, log: silentLog });
    const notice = envelope('once');
    await Promise.all(Array.from({ length: 10 }, () => deliver({ envelope: notice, attempts: 0 })));
    await deliver({ envelope: notice, attempts: 0 });
    expect(await effects()).toEqual(['once']);
  });

  it('has no record of a message whose transaction was rolled back', async () => {
    const failing = database.inTransaction(async (tx) => {
      await recordIfNew(tx, 'inbox-test', 'evt_1');
      throw new Error('refused');
    });
    await expect(failing).rejects.toThrow('refused');
    expect(await database.inTransaction((tx) => recordIfNew(tx, 'inbox-test', 'evt_1'))).toBe(true);
    expect(await database.inTransaction((tx) => recordIfNew(tx, 'inbox-test', 'evt_1'))).toBe(false);
  });

  it('records a message for each consumer separately', async () => {
    const [first, second] = await Promise.all(
      ['one', 'two'].map((consumer) => database.inTransaction((tx) => recordIfNew(tx, consumer, 'evt_1'))),
    );
    expect([first, second]).toEqual([true, true]);
  });

  it('lets only one of several overlapping batches handle a message', async () => {
    const handleBatch = (ids: readonly string[]) =>
      database.inTransaction(async (tx) => {
        const added = await tx.query<{ readonly message_id: string }>(recordNewMessages, ['inbox-test', ids]);
        for (const { message_id: id } of added) await tx.query('insert into effects (text) values ($1)', [id]);
      });
    await Promise.all([
      handleBatch(['evt_1', 'evt_2', 'evt_3']),
      handleBatch(['evt_3', 'evt_2', 'evt_4']),
      handleBatch(['evt_4', 'evt_1']),
    ]);
    expect(await effects()).toEqual(['evt_1', 'evt_2', 'evt_3', 'evt_4']);
  });

  it('refuses a message that was handled, with the replies of its handling', async () => {
    const row = { consumer: 'inbox-test', messageId: 'evt_1', replies: JSON.stringify([envelope('first')]) };
    const insert = () => database.inTransaction((tx) => tx.query(insertHandledMessages([row])));
    await insert();
    await expect(insert()).rejects.toMatchObject({ code: '23505' });
    const { rows } = await database.pool.query('select consumer, message_id as "messageId", replies from inbox');
    expect(rows).toEqual([row]);
  });

  it('is pruned of rows that are older than the retention', async () => {
    await database.pool.query(
      `insert into inbox (consumer, message_id, handled_at)
       select 'old', 'evt_' || number, now() - interval '31 days' from generate_series(1, 6000) as number`,
    );
    await database.inTransaction((tx) => recordIfNew(tx, 'fresh', 'evt_1'));
    expect(await pruneInbox(database, new AbortController().signal)).toBe(6000);
    const { rows } = await database.pool.query('select consumer from inbox');
    expect(rows).toEqual([{ consumer: 'fresh' }]);
  });
});

describe('a delivery', () => {
  const deliver = (delivery: Delivery) =>
    deliverTo([noticeConsumer()], { service: 'inbox-test', clock, log: silentLog })(delivery);

  it('has the context of the request that started it', async () => {
    const contexts: Context[] = [];
    const log = collectingLog();
    const consumer: MessageConsumer = {
      declaration: noticePosted,
      run: async (_, ctx) => {
        ctx.log.info({}, 'message handled');
        contexts.push(ctx);
      },
    };
    const notice = envelope('hello');
    await deliverTo([consumer], { service: 'inbox-test', clock, log })({ envelope: notice, attempts: 0 });
    expect(contexts[0]).toMatchObject({
      requestId: 'req-1',
      at: clock.now(),
      caller: { type: 'system', id: 'inbox-test', marketplaceId: 'mkt_default' },
    });
    expect(log.lines[0]?.fields).toEqual({ requestId: 'req-1', messageId: notice.id, messageType: 'notice.posted' });
  });

  it('is not retryable when the payload breaks its contract', async () => {
    const broken = { ...envelope('x'), payload: { text: 7 } };
    await expect(deliver({ envelope: broken, attempts: 0 })).rejects.toThrow(NonRetryableError);
  });

  it.each([
    ['has no handler', { type: 'stray.message' }],
    ['has a newer version', { version: 2 }],
    ['has an unknown field', { payload: { text: 'x', later: 1 } }],
  ])('waits for a newer process when the message %s', async (_, change) => {
    const newer = { ...envelope('x'), ...change };
    await expect(deliver({ envelope: newer, attempts: 0 })).rejects.toThrow(NewerVersionError);
  });
});
