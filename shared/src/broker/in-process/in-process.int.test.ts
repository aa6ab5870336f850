import path from 'node:path';
import { systemClock } from '../../context/index.js';
import type { Database } from '../../postgres/index.js';
import {
  anEnvelope,
  describeBroker,
  recorder,
  testLadderMs,
  testTopology,
  type BrokerUnderTest,
} from '../../testing/broker/index.js';
import { eventually } from '../../testing/eventually/index.js';
import { silentLog } from '../../testing/log/index.js';
import { testDatabase, type TestDatabase } from '../../testing/postgres/index.js';
import { serverStartTimeoutMs } from '../../testing/servers/index.js';
import type { Broker } from '../broker.js';
import { openInProcessBroker, type InProcessOptions } from './open-in-process-broker.js';

const migrations = [path.join(__dirname, '../../../migrations/broker')];

let server: TestDatabase;
let database: Database;
beforeAll(async () => {
  server = await testDatabase();
  database = await server.open({ service: 'broker', migrations });
}, serverStartTimeoutMs);
afterAll(() => server.drop());

function open(options: Partial<InProcessOptions> = {}): Promise<Broker> {
  return openInProcessBroker({
    pool: database.pool,
    topology: testTopology,
    log: silentLog,
    clock: systemClock(),
    ladderMs: testLadderMs,
    ...options,
  });
}

async function endAllSessions(): Promise<void> {
  await server.asAdmin(`
    select pg_terminate_backend(pid)
    from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid()`);
}

async function createBroker(): Promise<BrokerUnderTest> {
  await database.pool.query('delete from deliveries');
  const opened: Broker[] = [];
  const openAndKeep: BrokerUnderTest['open'] = async (options) => {
    const broker = await open(options);
    opened.push(broker);
    return broker;
  };
  return {
    open: openAndKeep,
    putRaw: async (queue, body) => {
      const id = `raw-${body.length}`;
      await database.pool.query(
        `insert into deliveries (queue, message_id, type, body, available_at) values ($1, $2, '', $3, now())`,
        [queue, id, body],
      );
    },
    interrupt: endAllSessions,
    // The rows and the lock are all that outlives a process; handlers that still run are not waited for.
    crash: async (broker) => {
      await broker.close();
      return openAndKeep();
    },
    dispose: async () => {
      await Promise.all(opened.map((broker) => broker.close()));
    },
  };
}

describeBroker('in-process', createBroker);

describe('the in-process driver alone', () => {
  let underTest: BrokerUnderTest;
  beforeEach(async () => {
    underTest = await createBroker();
  });
  afterEach(() => underTest.dispose());

  it('refuses a second process on the same database, and takes over when the first has gone', async () => {
    const first = await underTest.open();
    await expect(open({ lockTimeoutMs: 200 })).rejects.toThrow('Another process delivers the messages of this database already');
    await first.close();
    const second = await underTest.open();
    expect(second.isHealthy()).toBe(true);
  });

  it('leaves no row behind', async () => {
    const broker = await underTest.open();
    const orders = recorder();
    await broker.consume('orders', { prefetch: 10 }, orders.handler);
    await broker.publish([anEnvelope({ type: 'b.happened' }), anEnvelope({ type: 'b.happened' })]);
    await eventually(async () => {
      expect(orders.deliveries.length).toBe(2);
      expect((await database.pool.query('select from deliveries')).rowCount).toBe(0);
    });
  });

  it('handles a message once that is published twice before it is handled', async () => {
    const broker = await underTest.open();
    const envelope = anEnvelope({ type: 'b.happened' });
    await Promise.all([broker.publish([envelope]), broker.publish([envelope, envelope])]);
    const orders = recorder();
    await broker.consume('orders', { prefetch: 10 }, orders.handler);
    const last = anEnvelope({ type: 'b.happened' });
    await broker.publish([last]);
    await eventually(() => expect(orders.ids()).toEqual([envelope.id, last.id].sort()));
  });

  it('delivers what a process wrote that died before it could deliver', async () => {
    const broker = await underTest.open();
    const orders = recorder();
    await broker.consume('orders', { prefetch: 10 }, orders.handler);
    await underTest.putRaw('orders', JSON.stringify(anEnvelope()));
    await eventually(() => expect(orders.deliveries.length).toBe(1));
  });

  it('gives up on a publish when Postgres does not answer in time, and names what is in doubt', async () => {
    const broker = await openInProcessBroker({
      pool: database.pool,
      topology: testTopology,
      log: silentLog,
      clock: systemClock(),
      publishTimeoutMs: 200,
    });
    const admin = await database.pool.connect();
    await admin.query('begin');
    await admin.query('lock table deliveries in access exclusive mode');
    const envelope = anEnvelope();
    await expect(broker.publish([envelope])).rejects.toMatchObject({ name: 'PublishFailed', messageIds: [envelope.id] });
    await admin.query('rollback');
    admin.release();
    await broker.close();
  });
});
