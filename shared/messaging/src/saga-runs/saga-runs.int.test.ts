import { randomBytes } from 'node:crypto';
import { systemClock } from '@holdfast/kernel/context';
import { defaultMarketplaceId, idFactory, type SagaRunId } from '@holdfast/kernel/ids';
import type { Database, Tx } from '@holdfast/postgres';
import { silentLog } from '@holdfast/testing/log';
import { testDatabase, type TestDatabase } from '@holdfast/testing/postgres';
import { testRabbitmqUrl } from '@holdfast/testing/rabbitmq';
import { serverStartTimeoutMs } from '@holdfast/testing/servers';
import { connectRabbitmq, type Broker, type Notification } from '../broker/index.js';
import { messagingMigrations } from '../outbox/index.js';
import { createSagaRuns, type SagaOutcome, type SagaRuns, type SagaRunsOptions } from './index.js';

const clock = systemClock();
const newId = idFactory(clock.epochMs);
const run = { saga: 'reserve', aggregateId: 'ord_1', marketplaceId: defaultMarketplaceId, correlationId: 'req-1' };
const done: SagaOutcome = { status: 'succeeded', record: { id: 'ord_1', status: 'FUNDS_RESERVED' } };
const settlements: SagaRuns[] = [];
let server: TestDatabase;
let database: Database;

beforeAll(async () => {
  server = await testDatabase();
  database = await server.open({ service: 'settlement-test', migrations: [messagingMigrations] });
}, serverStartTimeoutMs);

afterEach(() => {
  for (const settlement of settlements.splice(0)) settlement.stop();
});

afterAll(async () => {
  await server.drop();
});

/** A broker that loses every notification and keeps what was sent for the test to look at. */
function losingBroker(replyQueue: string) {
  const sent: (Notification & { readonly to: string })[] = [];
  const listeners: ((notification: Notification) => void)[] = [];
  const broker: SagaRunsOptions['broker'] = {
    replyQueue: () => replyQueue,
    notify: (to, notification) => void sent.push({ ...notification, to }),
    onNotification: (_topics, listener) => {
      listeners.push(listener);
      return () => undefined;
    },
  };
  const receive = (notification: Notification): void => listeners.forEach((listener) => listener(notification));
  return { broker, sent, receive };
}

/** Without notifications, unless a broker is given. */
function aReplica(options: Partial<SagaRunsOptions> = {}): SagaRuns {
  const { broker } = losingBroker('nowhere');
  const settlement = createSagaRuns({ database, broker, newId, log: silentLog, pollEveryMs: 60_000, ...options });
  settlements.push(settlement);
  return settlement;
}

function begin(settlement: SagaRuns): Promise<SagaRunId> {
  return database.inTransaction((tx) => settlement.start(tx, run));
}

function close(settlement: SagaRuns, runId: SagaRunId, outcome: SagaOutcome): Promise<boolean> {
  return database.inTransaction((tx) => settlement.close(tx, runId, outcome));
}

describe('settlement', () => {
  it('answers everyone who waits as soon as this process closes the run', async () => {
    const settlement = aReplica();
    const runId = await begin(settlement);
    const waits = [settlement.wait(runId, 5_000), settlement.wait(runId, 5_000)];
    await close(settlement, runId, done);
    expect(await Promise.all(waits)).toEqual([done, done]);
  });

  it('finds a run that another process closed by polling, when every notification is lost', async () => {
    const waiting = aReplica({ pollEveryMs: 20 });
    const runId = await begin(waiting);
    const wait = waiting.wait(runId, 5_000);
    await close(aReplica(), runId, { status: 'failed', code: 'INSUFFICIENT_FUNDS', details: { currency: 'USD' } });
    expect(await wait).toEqual({ status: 'failed', code: 'INSUFFICIENT_FUNDS', details: { currency: 'USD' } });
  });

  it('asks for all waiting runs in one query', async () => {
    const waiting = aReplica({ pollEveryMs: 50 });
    const runIds = await Promise.all(Array.from({ length: 20 }, () => begin(waiting)));
    const query = jest.spyOn(database.pool, 'query');
    const waits = Promise.all(runIds.map((runId) => waiting.wait(runId, 5_000)));
    await database.inTransaction(async (tx) => {
      const other = aReplica();
      for (const runId of runIds) await other.close(tx, runId, done);
    });
    await waits;
    expect(query.mock.calls.length).toBeLessThan(runIds.length);
    query.mockRestore();
  });

  it('lets the first close win', async () => {
    const settlement = aReplica({ pollEveryMs: 20 });
    const runId = await begin(settlement);
    const failed: SagaOutcome = { status: 'failed', code: 'PROVIDER_TIMEOUT' };
    const closes = await Promise.all([
      close(settlement, runId, done),
      close(settlement, runId, failed),
      close(aReplica(), runId, failed),
    ]);
    expect(closes.filter(Boolean)).toHaveLength(1);
    expect(await settlement.wait(runId, 5_000)).toEqual(closes[0] ? done : failed);
  });

  it('begins and closes many with the commit, and wakes those whose run it closed', async () => {
    const settlement = aReplica({ pollEveryMs: 20 });
    const within = (write: (tx: Tx) => void) =>
      database.inTransaction((tx) => {
        write(tx);
        return Promise.resolve();
      });
    const runs = [newId('run'), newId('run'), newId('run')] as const;
    const begun = runs.map((id) => ({ ...run, id }));
    await within((tx) => settlement.startAll(tx, begun));
    const failed: SagaOutcome = { status: 'failed', code: 'PROVIDER_TIMEOUT' };
    await close(aReplica(), runs[1], failed);
    const waits = runs.map((runId) => settlement.wait(runId, 5_000));
    const ends = runs.map((runId) => ({ runId, outcome: done }));
    await within((tx) => settlement.closeAllWithCommit(tx, ends));
    expect(await Promise.all(waits)).toEqual([done, failed, done]);
    expect(await Promise.all(runs.map((runId) => aReplica({ pollEveryMs: 20 }).wait(runId, 5_000)))).toEqual([
      done,
      failed,
      done,
    ]);
  });

  it('does nothing where there is nothing to begin or to close', async () => {
    const settlement = aReplica();
    await database.inTransaction((tx) => {
      settlement.startAll(tx, []);
      settlement.closeAllWithCommit(tx, []);
      return Promise.resolve();
    });
  });

  it('answers early and stays open: the first answer counts for whoever waits, and the end comes later', async () => {
    const settlement = aReplica({ pollEveryMs: 20 });
    const runId = await begin(settlement);
    const early: SagaOutcome = { status: 'succeeded', record: { status: 'ESCROW_CREATING' } };
    const respondEarly = () => database.inTransaction((tx) => settlement.respondEarly(tx, runId, early));
    const wait = settlement.wait(runId, 5_000);
    expect([await respondEarly(), await respondEarly()]).toEqual([true, false]);
    expect([await wait, await aReplica({ pollEveryMs: 20 }).wait(runId, 5_000)]).toEqual([early, early]);
    expect(await settlement.findOpen(runId)).toMatchObject({ ...run, id: runId });
    expect(await close(settlement, runId, done)).toBe(true);
    expect(await settlement.findOpen(runId)).toBeUndefined();
  });

  it('wakes nobody for a close that was rolled back', async () => {
    const settlement = aReplica({ pollEveryMs: 20 });
    const runId = await begin(settlement);
    const wait = settlement.wait(runId, 200);
    await database
      .inTransaction(async (tx) => {
        await settlement.close(tx, runId, done);
        throw new Error('refused');
      })
      .catch(() => undefined);
    await expect(wait).rejects.toMatchObject({ code: 'PROVIDER_TIMEOUT' });
  });

  it('504 PROVIDER_TIMEOUT at the limit, while the saga goes on', async () => {
    const settlement = aReplica();
    const runId = await begin(settlement);
    await expect(settlement.wait(runId, 50)).rejects.toMatchObject({ code: 'PROVIDER_TIMEOUT', details: { sagaRunId: runId } });
    expect(await close(settlement, runId, done)).toBe(true);
  });

  it('lets go of a caller who leaves, and of everyone when the process stops', async () => {
    const settlement = aReplica();
    const runId = await begin(settlement);
    const leaving = new AbortController();
    const left = settlement.wait(runId, 5_000, leaving.signal);
    const stopped = settlement.wait(runId, 5_000);
    leaving.abort(new Error('the client is gone'));
    await expect(left).rejects.toThrow('the client is gone');
    settlement.stop();
    await expect(stopped).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    await expect(settlement.wait(runId, 5_000)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  });

  it('sends one notification to the reply queue of the process that started the run, and none to itself', async () => {
    const [starting, ending] = [losingBroker('queue of one'), losingBroker('queue of two')];
    const [one, other] = [aReplica({ broker: starting.broker }), aReplica({ broker: ending.broker })];
    const [closed, answered, own] = [await begin(one), await begin(one), await begin(one)];
    await close(other, closed, done);
    await close(other, closed, done);
    await database.inTransaction((tx) => other.respondEarly(tx, answered, done));
    await close(one, own, done);
    const to = 'queue of one';
    expect(ending.sent).toEqual([closed, answered].map((key) => ({ to, topic: 'saga-run-settled', key })));
    expect(starting.sent).toEqual([]);
  });

  it('sends nothing for a run without a reply queue', async () => {
    const { broker, sent } = losingBroker('queue of two');
    const runId = await begin(aReplica({ broker: { ...broker, replyQueue: () => undefined } }));
    expect(await close(aReplica({ broker }), runId, done)).toBe(true);
    expect(sent).toEqual([]);
  });

  it('resolves the request from one notification, however often it is repeated', async () => {
    const { broker, receive } = losingBroker('queue of one');
    const waiting = aReplica({ broker });
    const runId = await begin(waiting);
    const wait = waiting.wait(runId, 5_000);
    const notification = { topic: 'saga-run-settled', key: runId };
    receive(notification); // too early: the run is open
    await close(aReplica(), runId, done);
    receive(notification);
    receive(notification);
    expect(await wait).toEqual(done);
    receive(notification);
  });

  it('covers by its poll a run that was closed before the request waited', async () => {
    const { broker, receive } = losingBroker('queue of one');
    const waiting = aReplica({ broker, pollEveryMs: 20 });
    const [elsewhere, here] = [await begin(waiting), await begin(waiting)];
    await close(aReplica(), elsewhere, done);
    await close(waiting, here, done);
    receive({ topic: 'saga-run-settled', key: elsewhere });
    expect(await Promise.all([waiting.wait(elsewhere, 5_000), waiting.wait(here, 5_000)])).toEqual([done, done]);
  });

  it('shows the runs that stand still, oldest first, and forgets those closed long ago', async () => {
    await database.pool.query('delete from saga_runs');
    const settlement = aReplica();
    const [oldest, old, fresh, closed] = await Promise.all([
      begin(settlement),
      begin(settlement),
      begin(settlement),
      begin(settlement),
    ]);
    const age = (runId: SagaRunId, interval: string) =>
      database.pool.query('update saga_runs set begun_at = now() - $2::interval where id = $1', [runId, interval]);
    await Promise.all([age(oldest, '3 minutes'), age(old, '2 minutes'), age(closed, '40 days'), close(settlement, closed, done)]);
    await database.pool.query(`update saga_runs set closed_at = now() - interval '31 days' where id = $1`, [closed]);

    const stalled = await settlement.stalledRuns(60_000, 10);

    expect(stalled.map(({ id }) => id)).toEqual([oldest, old]);
    expect(stalled[0]).toMatchObject({ ...run, begunAt: expect.stringMatching(/Z$/) });
    expect(await settlement.prune(new AbortController().signal)).toBe(1);
    expect((await settlement.stalledRuns(-1_000, 10)).map(({ id }) => id)).toContain(fresh);
  });
});

describe('settlement between two processes on RabbitMQ', () => {
  it(
    'is woken up through its reply queue when a replica that did not start the run closes it',
    async () => {
      const url = await testRabbitmqUrl();
      const namespace = `settlement-${randomBytes(4).toString('hex')}`;
      const connect = (): Promise<Broker> => connectRabbitmq({ url, namespace, topology: { queues: [] }, log: silentLog, clock });
      const [first, second] = await Promise.all([connect(), connect()]);
      const otherPool = await server.open({ service: 'settlement-test', migrations: [messagingMigrations] });
      const waiting = aReplica({ broker: first });
      const closing = aReplica({ broker: second, database: otherPool });

      const runId = await begin(waiting);
      const wait = waiting.wait(runId, 10_000);
      await otherPool.inTransaction((tx) => closing.close(tx, runId, done));

      expect(await wait).toEqual(done);
      await Promise.all([first.close(), second.close()]);
    },
    serverStartTimeoutMs,
  );
});
