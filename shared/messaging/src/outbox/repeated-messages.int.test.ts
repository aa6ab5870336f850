import { systemClock } from '@holdfast/kernel/context';
import { idFactory } from '@holdfast/kernel/ids';
import type { Database, Tx } from '@holdfast/postgres';
import { eventually } from '@holdfast/testing/eventually';
import { runJobs } from '@holdfast/testing/jobs';
import { silentLog } from '@holdfast/testing/log';
import { testDatabase, type TestDatabase } from '@holdfast/testing/postgres';
import { serverStartTimeoutMs } from '@holdfast/testing/servers';
import { createOutbox, createRelay, messagingMigrations, type Outbox, type Relay } from './index.js';
import { memoryBroker, type MemoryBroker } from './testing/memory-broker.js';
import { aNotice, noticePosted } from './testing/notices.js';

let server: TestDatabase;
let database: Database;
let broker: MemoryBroker;
let relay: Relay;
let outbox: Outbox;
const clock = systemClock();
const newId = idFactory(clock.epochMs);

beforeAll(async () => {
  server = await testDatabase();
  database = await server.open({ service: 'repeated-test', migrations: [messagingMigrations] });
}, serverStartTimeoutMs);

beforeEach(async () => {
  await database.pool.query('delete from outbox');
  broker = memoryBroker();
  relay = createRelay({ database, broker, log: silentLog, limits: { sweepAfterMs: 60_000, deleteEveryMs: 10 } });
  outbox = createOutbox({ relay, clock, newId });
});

afterEach(() => relay.stop());
afterAll(() => server.drop());

async function commit(publish: (tx: Tx) => unknown): Promise<void> {
  await database.inTransaction(async (tx) => publish(tx));
}

/** Whether each call of `publish` was for repeated messages. */
const marks = () => broker.calls.map(({ isRepeated }) => isRepeated);

describe('a message of a committed transaction', () => {
  it('is not repeated when it is published for the first time', async () => {
    await commit((tx) => outbox.add(tx, noticePosted, aNotice('new')));
    await commit((tx) => outbox.addEnvelopes(tx, [outbox.add(tx, noticePosted, aNotice('new'))]));
    await eventually(() => expect(marks()).toEqual([false, false]));
  });

  it('is repeated when its first publish was not confirmed', async () => {
    broker.disconnect();
    await commit((tx) => outbox.add(tx, noticePosted, aNotice('unconfirmed')));
    await eventually(() => expect(marks()).toHaveLength(1));
    broker.reconnect();
    await eventually(() => expect(broker.published).toHaveLength(1));
    const [first, ...others] = marks();
    expect([first, new Set(others)]).toEqual([false, new Set([true])]);
  });

  it('is repeated when a sweeper publishes it', async () => {
    const crashed = createOutbox({
      relay: { handOver: () => undefined, limits: { ...relay.limits, sweepAfterMs: 1 } },
      clock,
      newId,
    });
    await commit((tx) => crashed.add(tx, noticePosted, aNotice('swept')));
    const jobs = runJobs(relay.job);
    await eventually(() => expect(marks()).toEqual([true]));
    await jobs.stop();
  });

  it('is repeated when its sender says so, with all messages of its transaction', async () => {
    await commit((tx) => {
      outbox.add(tx, noticePosted, aNotice('new'));
      outbox.add(tx, noticePosted, aNotice('resent', { id: 'evt_resent', isRepeated: true }));
      outbox.add(tx, noticePosted, aNotice('new'));
    });
    await eventually(() => expect(marks()).toEqual([true]));
    expect(broker.published).toHaveLength(3);
  });

  it('is repeated when it is a stored reply', async () => {
    await commit((tx) => outbox.add(tx, noticePosted, aNotice('reply')));
    await eventually(() => expect(broker.published).toHaveLength(1));
    await commit((tx) => outbox.republish(tx, broker.published));
    await eventually(() => expect(marks()).toEqual([false, true]));
  });

  it('does not carry the mark in its envelope', async () => {
    await commit((tx) => outbox.add(tx, noticePosted, aNotice('resent', { id: 'evt_resent', isRepeated: true })));
    await eventually(() => expect(broker.published).toHaveLength(1));
    expect(broker.published[0]).not.toHaveProperty('isRepeated');
  });
});
