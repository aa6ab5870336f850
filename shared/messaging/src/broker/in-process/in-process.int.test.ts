import type { Database } from '@holdfast/postgres';
import {
  anEnvelope,
  describeBroker,
  envelopes,
  gate,
  idsOf,
  openParkedTables,
  recorder,
  testBroker,
  testRetryDelaysMs,
  testTopology,
  type BrokerUnderTest,
  type ParkedTables,
  type TestBroker,
} from '@holdfast/testing/broker';
import { eventually } from '@holdfast/testing/eventually';
import { silentLog } from '@holdfast/testing/log';
import { testDatabase, type TestDatabase } from '@holdfast/testing/postgres';
import { serverStartTimeoutMs } from '@holdfast/testing/servers';
import { brokerMigrations } from './migrations.js';
import { openInProcessBroker, type InProcessOptions } from './open-in-process-broker.js';

const schema = { service: 'broker', migrations: [brokerMigrations] };

let server: TestDatabase;
let database: Database;
let parked: ParkedTables;
beforeAll(async () => {
  parked = await openParkedTables();
  server = await testDatabase(schema);
  database = await server.open(schema);
}, serverStartTimeoutMs);
afterAll(async () => {
  await parked.drop();
  await server.drop();
});

const leaseMs = 600;

async function open(options: Partial<InProcessOptions> = {}): Promise<TestBroker> {
  const broker = await openInProcessBroker({
    pool: database.pool,
    topology: testTopology,
    log: silentLog,
    retryDelaysMs: testRetryDelaysMs,
    leaseMs,
    pollEveryMs: 100,
    ...options,
  });
  return testBroker(broker, parked.of);
}

const waitingForARow = `
  select
  from pg_stat_activity
  where datname = current_database() and wait_event_type = 'Lock' and wait_event = 'transactionid'`;

async function endAllSessions(): Promise<void> {
  await server.asAdmin(`
    select pg_terminate_backend(pid)
    from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid()`);
}

async function createBroker(): Promise<BrokerUnderTest> {
  await database.pool.query('delete from deliveries');
  await parked.clear();
  const opened = new Map<TestBroker, Database>();
  const openOnItsOwn: BrokerUnderTest['open'] = async (options) => {
    const own = await server.open(schema);
    const broker = await open({ ...options, pool: own.pool });
    opened.set(broker, own);
    return broker;
  };
  return {
    open: openOnItsOwn,
    putRaw: async (queue, body) => {
      const values = [queue, `raw-${body.length}`, body];
      await database.pool.query(`insert into deliveries (queue, message_id, type, body) values ($1, $2, '', $3)`, values);
    },
    interrupt: endAllSessions,
    // Without its connections a broker can neither delete nor release the rows that it has leased.
    crash: async (broker) => {
      await opened.get(broker)?.close();
      return openOnItsOwn();
    },
    dispose: async () => {
      await Promise.all([...opened.keys()].map((broker) => broker.close()));
      await Promise.all([...opened.values()].map((own) => own.close()));
    },
  };
}

describeBroker('in-process', createBroker);

describe('the in-process driver', () => {
  let underTest: BrokerUnderTest;
  beforeEach(async () => {
    underTest = await createBroker();
  });
  afterEach(() => underTest.dispose());

  it('distributes the messages of one database over two processes', async () => {
    const [one, other] = [await underTest.open(), await underTest.open()];
    const { opened, open: release } = gate();
    const handled = [recorder(() => opened), recorder(() => opened)] as const;
    await one.consume('orders', { prefetch: 50 }, handled[0].handler);
    await other.consume('orders', { prefetch: 50 }, handled[1].handler);
    const sent = envelopes(100, { type: 'b.happened' });
    await one.publish(sent);
    await eventually(() => expect([handled[0].ids().length, handled[1].ids().length]).toEqual([50, 50]));
    release();
    await one.close();
    await other.close();
    expect([...handled[0].ids(), ...handled[1].ids()].sort()).toEqual(idsOf(sent));
    expect((await database.pool.query('select from deliveries')).rowCount).toBe(0);
  });

  it('extends the lease of a message while its handler runs', async () => {
    const [one, other] = [await underTest.open(), await underTest.open()];
    const { opened, open: release } = gate();
    const slow = recorder(() => opened);
    await one.consume('orders', { prefetch: 1 }, slow.handler);
    await one.publish(envelopes(1, { type: 'b.happened' }));
    await eventually(() => expect(slow.deliveries.length).toBe(1));
    const { rows: taken } = await database.pool.query<{ readonly until: string }>('select available_at as until from deliveries');
    const rival = recorder();
    await other.consume('orders', { prefetch: 1 }, rival.handler);
    await eventually(async () => {
      const { rowCount } = await database.pool.query(
        `select from deliveries where now() > $1::timestamptz + interval '1 second' and available_at > now()`,
        [taken[0]?.until],
      );
      expect(rowCount).toBe(1);
    });
    expect(rival.deliveries).toEqual([]);
    release();
  });

  it('releases the leases of unfinished messages when it is closed', async () => {
    const [closing, other] = [await open({ leaseMs: 60_000, drainTimeoutMs: 20 }), await underTest.open()];
    const { opened, open: release } = gate();
    const stuck = recorder(() => opened);
    await closing.consume('orders', { prefetch: 1 }, stuck.handler);
    await other.publish(envelopes(1, { type: 'b.happened' }));
    await eventually(() => expect(stuck.deliveries.length).toBe(1));
    await closing.close();
    const orders = recorder();
    await other.consume('orders', { prefetch: 1 }, orders.handler);
    await eventually(() => expect(orders.deliveries).toEqual(stuck.deliveries));
    release();
  });

  it('does not change the time of a retry when it extends or releases leases', async () => {
    const broker = await underTest.open();
    const failing = await open({ leaseMs: 90, retryDelaysMs: [60_000] });
    const orders = recorder(() => {
      throw new Error('not today');
    });
    await failing.consume('orders', { prefetch: 50 }, orders.handler);
    await broker.publish(envelopes(200, { type: 'b.happened' }));
    const isLater = `available_at > now() + interval '30 seconds' and attempts = 1`;
    await eventually(async () =>
      expect((await database.pool.query(`select from deliveries where ${isLater}`)).rowCount).toBe(200),
    );
    await failing.close();
    expect((await database.pool.query(`select from deliveries where ${isLater}`)).rowCount).toBe(200);
  });

  it('deletes the rows of handled messages', async () => {
    const broker = await underTest.open();
    const orders = recorder();
    await broker.consume('orders', { prefetch: 10 }, orders.handler);
    await broker.publish([anEnvelope({ type: 'b.happened' }), anEnvelope({ type: 'b.happened' })]);
    await eventually(async () => {
      expect(orders.deliveries.length).toBe(2);
      expect((await database.pool.query('select from deliveries')).rowCount).toBe(0);
    });
  });

  it('delivers the messages of a call in their order', async () => {
    const broker = await underTest.open();
    const sent = envelopes(50, { type: 'b.happened' }).toReversed();
    await broker.publish(sent);
    const orders = recorder();
    await broker.consume('orders', { prefetch: 100 }, orders.handler);
    await eventually(() => expect(orders.deliveries.map(({ envelope }) => envelope)).toEqual(sent));
  });

  it('delivers a message once when it is published twice before it is handled', async () => {
    const broker = await underTest.open();
    const envelope = anEnvelope({ type: 'b.happened' });
    await Promise.all([broker.publish([envelope]), broker.publish([envelope, envelope])]);
    const orders = recorder();
    await broker.consume('orders', { prefetch: 10 }, orders.handler);
    const last = anEnvelope({ type: 'b.happened' });
    await broker.publish([last]);
    await eventually(() => expect(orders.ids()).toEqual([envelope.id, last.id].sort()));
  });

  it('delivers a message again that was published again while it was handled', async () => {
    const broker = await underTest.open();
    const { opened, open: release } = gate();
    const orders = recorder(() => opened);
    await broker.consume('orders', { prefetch: 10 }, orders.handler);
    const envelope = anEnvelope({ type: 'b.happened' });
    await broker.publish([envelope]);
    await eventually(() => expect(orders.deliveries).toHaveLength(1));
    await broker.publish([envelope]);
    release();
    await eventually(() => expect(orders.deliveries).toEqual([0, 0].map((attempts) => ({ envelope, attempts }))));
    await eventually(async () => expect((await database.pool.query('select from deliveries')).rowCount).toBe(0));
  });

  it('delivers a message again that is published again while its end is written', async () => {
    const broker = await underTest.open();
    const { opened, open: release } = gate();
    const orders = recorder(() => opened);
    await broker.consume('orders', { prefetch: 10 }, orders.handler);
    const envelope = anEnvelope({ type: 'b.happened' });
    await broker.publish([envelope]);
    await eventually(() => expect(orders.deliveries).toHaveLength(1));
    await database.inTransaction(async (tx) => {
      await tx.query('update deliveries set position = default, attempts = 3');
      release();
      await eventually(async () => expect((await database.pool.query(waitingForARow)).rowCount).toBe(1));
    });
    await eventually(() => expect(orders.deliveries).toEqual([0, 0].map((attempts) => ({ envelope, attempts }))));
    await eventually(async () => expect((await database.pool.query('select from deliveries')).rowCount).toBe(0));
  });

  it('delivers a retry when it is due, although the next look is an hour away', async () => {
    const broker = await open({ retryDelaysMs: [1_500], leaseMs: 60_000, pollEveryMs: 3_600_000 });
    const orders = recorder((_, count) => {
      if (count === 1) throw new Error('not today');
    });
    await broker.consume('orders', { prefetch: 10 }, orders.handler);
    await broker.publish(envelopes(1, { type: 'b.happened' }));
    await eventually(() => expect(orders.deliveries.map(({ attempts }) => attempts)).toEqual([0, 1]));
    await broker.close();
  });

  it('finds by polling a row that another process inserted', async () => {
    const broker = await underTest.open();
    const orders = recorder();
    await broker.consume('orders', { prefetch: 10 }, orders.handler);
    await underTest.putRaw('orders', JSON.stringify(anEnvelope()));
    await eventually(() => expect(orders.deliveries.length).toBe(1));
  });

  it('rejects a publish at the time limit with the ids of its messages when Postgres does not respond', async () => {
    const broker = await open({ publishTimeoutMs: 200 });
    const envelope = anEnvelope();
    await database.inTransaction(async (tx) => {
      await tx.query('lock table deliveries in access exclusive mode');
      await expect(broker.publish([envelope])).rejects.toMatchObject({ name: 'PublishFailed', messageIds: [envelope.id] });
    });
    await broker.close();
  });
});
