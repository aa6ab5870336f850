import { systemClock } from '@holdfast/kernel/context';
import { idFactory } from '@holdfast/kernel/ids';
import type { Database } from '@holdfast/postgres';
import { eventually } from '@holdfast/testing/eventually';
import { runJobs } from '@holdfast/testing/jobs';
import { silentLog } from '@holdfast/testing/log';
import { testDatabase, type TestDatabase } from '@holdfast/testing/postgres';
import { serverStartTimeoutMs } from '@holdfast/testing/servers';
import { createOutbox, createRelay, messagingMigrations, type Outbox, type Relay, type RelayLimits } from './index.js';
import { memoryBroker, type MemoryBroker } from './testing/memory-broker.js';
import { aNotice, noticePosted, type Notice } from './testing/notices.js';

let server: TestDatabase;
let database: Database;
let broker: MemoryBroker;
const stopping: (() => Promise<void>)[] = [];

beforeAll(async () => {
  server = await testDatabase();
  database = await server.open({ service: 'outbox-test', migrations: [messagingMigrations] });
}, serverStartTimeoutMs);

beforeEach(async () => {
  await database.pool.query('delete from outbox');
  broker = memoryBroker();
});

afterEach(async () => {
  await Promise.all(stopping.splice(0).map((stop) => stop()));
});

afterAll(async () => {
  await server.drop();
});

const quick: Partial<RelayLimits> = { sweepAfterMs: 400, sweepEveryMs: 20, deleteEveryMs: 10 };

/** A replica of a service. It sweeps only after `sweep`. */
function aReplica(limits: Partial<RelayLimits> = {}): { readonly relay: Relay; readonly outbox: Outbox } {
  const relay = createRelay({ database, broker, log: silentLog, limits: { ...quick, ...limits } });
  stopping.push(relay.stop);
  const clock = systemClock();
  return { relay, outbox: createOutbox({ relay, clock, newId: idFactory(clock.epochMs) }) };
}

/** Runs the sweeper in the loop of the replica. */
function sweep({ job }: Relay): void {
  stopping.unshift(runJobs(job).stop);
}

/** The outbox of a process that crashes right after its commit: its rows are never handed to a relay. */
function aCrashedOutbox(limits: Partial<RelayLimits> = {}): Outbox {
  const clock = systemClock();
  const relay = { handOver: () => undefined, limits: { ...aReplica(limits).relay.limits } };
  return createOutbox({ relay, clock, newId: idFactory(clock.epochMs) });
}

function texts(): readonly string[] {
  return broker.published.map(({ payload }) => (payload as Notice).text).sort();
}

async function rowsLeft(): Promise<number> {
  const { rows } = await database.pool.query<{ count: bigint }>('select count(*) from outbox');
  return Number(rows[0]?.count);
}

describe('the outbox', () => {
  it('publishes committed messages without a sweeper and deletes the row', async () => {
    const { outbox, relay } = aReplica({ sweepAfterMs: 60_000 });
    await database.inTransaction(async (tx) => {
      outbox.add(tx, noticePosted, aNotice('one'));
      outbox.add(tx, noticePosted, aNotice('two'));
    });
    await eventually(() => expect(texts()).toEqual(['one', 'two']));
    await eventually(async () => expect(await rowsLeft()).toBe(0));
    expect(relay.counters()).toMatchObject({ handedOver: 2, published: 2, swept: 0, inMemory: 0 });
  });

  it('stores all messages of a transaction in one row', async () => {
    const outbox = aCrashedOutbox();
    await database.inTransaction(async (tx) => {
      outbox.add(tx, noticePosted, aNotice('one'));
      await outbox.addEnvelopes(tx, [outbox.add(tx, noticePosted, aNotice('two'))]);
    });
    const { rows } = await database.pool.query<{ messages: string }>('select messages from outbox');
    expect(rows.map((row) => (JSON.parse(row.messages) as unknown[]).length)).toEqual([3]);
  });

  it('publishes nothing when the transaction is rolled back', async () => {
    const { outbox, relay } = aReplica();
    await database
      .inTransaction(async (tx) => {
        outbox.add(tx, noticePosted, aNotice('never'));
        throw new Error('refused');
      })
      .catch(() => undefined);
    expect(await rowsLeft()).toBe(0);
    expect(relay.counters().handedOver).toBe(0);
  });

  it('publishes the messages of a retried transaction once', async () => {
    const { outbox } = aReplica();
    let attempts = 0;
    await database.inTransaction(async (tx) => {
      attempts += 1;
      outbox.add(tx, noticePosted, aNotice(`attempt ${attempts}`));
      if (attempts === 1) await tx.query(`do $$ begin raise exception 'again' using errcode = '40001'; end $$`);
    });
    await eventually(() => expect(texts()).toEqual(['attempt 2']));
  });

  it('fills in the envelope, with the id and time of a message that may be repeated', async () => {
    const { outbox } = aReplica();
    const envelope = await database.inTransaction(async (tx) =>
      outbox.add(
        tx,
        noticePosted,
        aNotice('one', {
          saga: 'post',
          sagaRunId: 'run_1',
          id: 'evt_7',
          occurredAt: '2026-01-31T12:00:00.000001Z',
          causationId: 'evt_1',
          afterEventId: 'evt_0',
          aggregatePart: 'USD',
        }),
      ),
    );
    expect(envelope).toMatchObject({
      id: 'evt_7',
      type: 'notice.posted',
      version: 1,
      aggregateType: 'Order',
      aggregatePart: 'USD',
      correlationId: 'req-1',
      causationId: 'evt_1',
      afterEventId: 'evt_0',
      saga: 'post',
      sagaRunId: 'run_1',
      occurredAt: '2026-01-31T12:00:00.000001Z',
    });
  });

  it('refuses a payload that breaks its contract or is too large, before the commit', async () => {
    const { outbox } = aReplica();
    const publish = (text: string) => database.inTransaction(async (tx) => outbox.add(tx, noticePosted, aNotice(text)));
    await expect(publish('')).rejects.toThrow(/notice\.posted message breaks its contract/);
    await expect(publish('x'.repeat(300_000))).rejects.toThrow(/larger than 262144 bytes/);
    expect(await rowsLeft()).toBe(0);
  });
});

describe('the relay', () => {
  it('publishes the rows of a process that crashed after its commit, on any replica', async () => {
    const crashed = aCrashedOutbox({ sweepAfterMs: 50 });
    for (const text of ['one', 'two', 'three']) {
      await database.inTransaction(async (tx) => crashed.add(tx, noticePosted, aNotice(text)));
    }
    const replicas = [aReplica().relay, aReplica().relay];
    replicas.forEach(sweep);

    await eventually(() => expect(texts()).toEqual(['one', 'three', 'two']));
    await eventually(async () => expect(await rowsLeft()).toBe(0));
    expect(replicas.reduce((sum, relay) => sum + relay.counters().swept, 0)).toBe(3);
  });

  it('sleeps until the row of a dead process is due, without a statement in between', async () => {
    const crashed = aCrashedOutbox({ sweepAfterMs: 700 });
    await database.inTransaction(async (tx) => crashed.add(tx, noticePosted, aNotice('late')));
    const query = jest.spyOn(database.pool, 'query');
    sweep(aReplica({ sweepEveryMs: 3_600_000, deleteEveryMs: 3_600_000 }).relay);
    await eventually(() => expect(texts()).toEqual(['late']));
    const statements = query.mock.calls.map(([sql]) => (typeof sql === 'object' && 'name' in sql ? sql.name : sql));
    query.mockRestore();
    expect(statements.filter((name) => name !== 'delete-published-outbox-rows').slice(0, 2)).toEqual([
      'next-outbox-row',
      'take-due-outbox-rows',
    ]);
  });

  it('leaves a new row to the process that committed it', async () => {
    const crashed = aCrashedOutbox({ sweepAfterMs: 60_000 });
    await database.inTransaction(async (tx) => crashed.add(tx, noticePosted, aNotice('fresh')));
    const { relay } = aReplica();
    sweep(relay);
    const other = aCrashedOutbox({ sweepAfterMs: 1 });
    await database.inTransaction(async (tx) => other.add(tx, noticePosted, aNotice('old')));
    await eventually(() => expect(texts()).toEqual(['old']));
    await eventually(async () => expect(await rowsLeft()).toBe(1));
  });

  it('keeps the rows while the broker is unavailable, without blocking commits, and publishes them afterwards', async () => {
    const { relay, outbox } = aReplica({ retryAfterMs: 50 });
    sweep(relay);
    broker.disconnect();
    const expected = Array.from({ length: 30 }, (_, index) => `notice ${index + 10}`);
    for (const text of expected) await database.inTransaction(async (tx) => outbox.add(tx, noticePosted, aNotice(text)));
    expect(await rowsLeft()).toBe(30);
    await eventually(() => expect(relay.counters().failures).toBeGreaterThan(0));

    broker.reconnect();

    await eventually(async () => expect(await rowsLeft()).toBe(0));
    expect([...new Set(texts())]).toEqual(expected);
  });

  it('publishes other rows while the broker refuses one message', async () => {
    const { relay, outbox } = aReplica({ sweepAfterMs: 50, retryAfterMs: 60_000 });
    broker.refuse('evt_bad');
    sweep(relay);
    await database.inTransaction(async (tx) => outbox.add(tx, noticePosted, aNotice('bad', { id: 'evt_bad' })));
    for (const text of ['a', 'b', 'c']) await database.inTransaction(async (tx) => outbox.add(tx, noticePosted, aNotice(text)));
    await eventually(() => expect([...new Set(texts())]).toEqual(['a', 'b', 'c']));
    await eventually(async () => expect(await rowsLeft()).toBe(1));
  });

  it('leaves messages beyond messagesInMemoryMax to the sweeper', async () => {
    const { relay, outbox } = aReplica({ messagesInMemoryMax: 2, sweepAfterMs: 50 });
    await database.inTransaction(async (tx) => {
      for (const text of ['a', 'b', 'c']) outbox.add(tx, noticePosted, aNotice(text));
    });
    expect(relay.counters()).toMatchObject({ overflowed: 3, inMemory: 0 });
    sweep(relay);
    await eventually(() => expect(texts()).toEqual(['a', 'b', 'c']));
  });

  it('reports the number of unpublished rows and the age of the oldest', async () => {
    const { relay } = aReplica();
    expect(await relay.backlog()).toMatchObject({ rows: 0, lagSeconds: 0 });
    const crashed = aCrashedOutbox({ sweepAfterMs: 60_000 });
    await database.inTransaction(async (tx) => crashed.add(tx, noticePosted, aNotice('waiting')));
    await database.pool.query(`update outbox set created_at = now() - interval '7 seconds'`);
    const { rows, lagSeconds } = await relay.backlog();
    expect(rows).toBe(1);
    expect(lagSeconds).toBeGreaterThanOrEqual(7);
  });

  it('deletes published rows in batches, and the last batch before it stops', async () => {
    const { relay, outbox } = aReplica({ sweepAfterMs: 60_000, deleteEveryMs: 60_000 });
    const publish = (text: string) => database.inTransaction(async (tx) => outbox.add(tx, noticePosted, aNotice(text)));
    await publish('first');
    await eventually(async () => expect(await rowsLeft()).toBe(0));
    await Promise.all(['second', 'third'].map(publish));
    await eventually(() => expect(relay.counters()).toMatchObject({ published: 3, inMemory: 0 }));
    expect(await rowsLeft()).toBe(2);
    await relay.stop();
    expect(await rowsLeft()).toBe(0);
  });

  it('publishes everything that was handed over before it stops', async () => {
    const { relay, outbox } = aReplica({ sweepAfterMs: 60_000 });
    sweep(relay);
    await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        database.inTransaction(async (tx) => outbox.add(tx, noticePosted, aNotice(`notice ${index}`))),
      ),
    );
    await relay.stop();
    expect(texts()).toHaveLength(50);
    expect(await rowsLeft()).toBe(0);
  });

  it('stops within its time limit while the broker is unavailable', async () => {
    const { relay, outbox } = aReplica({ sweepAfterMs: 60_000, drainTimeoutMs: 300 });
    sweep(relay);
    broker.disconnect();
    await database.inTransaction(async (tx) => outbox.add(tx, noticePosted, aNotice('unpublished')));
    await relay.stop();
    expect(await rowsLeft()).toBe(1);
  });
});
