import { randomBytes } from 'node:crypto';
import { systemClock } from '@holdfast/kernel/instants';
import { defaultMarketplaceId, idFactory, type SagaRunId } from '@holdfast/kernel/ids';
import type { Database, Tx } from '@holdfast/postgres';
import { silentLog } from '@holdfast/testing/log';
import { testDatabase, type TestDatabase } from '@holdfast/testing/postgres';
import { testRabbitmqUrl } from '@holdfast/testing/rabbitmq';
import { serverStartTimeoutMs } from '@holdfast/testing/servers';
import { connectRabbitmq, type Broker, type Notification } from '@holdfast/messaging/broker';
import { messagingMigrations } from '@holdfast/messaging/outbox';
import { createSagaRuns, type SagaRuns, type SagaRunsOptions } from './saga-runs.js';
import type { EndedRun, SagaOutcome } from '../saga-run.js';

const clock = systemClock();
const newId = idFactory(clock.epochMs);
const run = { saga: 'reserve', aggregateId: 'ord_1', marketplaceId: defaultMarketplaceId, correlationId: 'req-1' };
const done: SagaOutcome = { status: 'succeeded', record: { id: 'ord_1', status: 'FUNDS_RESERVED' } };
const retries = { firstAfterMs: 60_000, afterMsMax: 900_000 };
const deadlines = { sagas: [], afterMs: 60_000 };
const replicas: SagaRuns[] = [];
let server: TestDatabase;
let database: Database;

beforeAll(async () => {
  server = await testDatabase();
  database = await server.open({ service: 'saga-runs-test', migrations: [messagingMigrations] });
}, serverStartTimeoutMs);

afterEach(() => {
  for (const sagaRuns of replicas.splice(0)) sagaRuns.stop();
});

afterAll(async () => {
  await server.drop();
});

/** A broker that records notifications and delivers none, except through `receive`. */
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

/** A replica that receives no notifications, unless a broker is given. */
function aReplica(options: Partial<SagaRunsOptions> = {}): SagaRuns {
  const { broker } = losingBroker('nowhere');
  const sagaRuns = createSagaRuns({
    database,
    broker,
    log: silentLog,
    retries,
    deadlines,
    pollEveryMs: 60_000,
    ...options,
  });
  replicas.push(sagaRuns);
  return sagaRuns;
}

function within(write: (tx: Tx) => void, on = database): Promise<void> {
  return on.inTransaction((tx) => {
    write(tx);
    return Promise.resolve();
  });
}

async function start(sagaRuns: SagaRuns): Promise<SagaRunId> {
  const id = newId('run');
  await within((tx) => sagaRuns.startAll(tx, [{ ...run, id }]));
  return id;
}

function close(sagaRuns: SagaRuns, runId: SagaRunId, outcome: SagaOutcome): Promise<void> {
  return within((tx) => sagaRuns.closeAllWithCommit(tx, [{ runId, outcome }]));
}

async function openIds({ stalledRuns }: SagaRuns): Promise<readonly string[]> {
  return (await stalledRuns(-1_000, 1_000)).map(({ id }) => id);
}

describe('saga runs', () => {
  it('resolve every waiting request when this process closes the run', async () => {
    const sagaRuns = aReplica();
    const runId = await start(sagaRuns);
    const waits = [sagaRuns.wait(runId, 5_000), sagaRuns.wait(runId, 5_000)];
    await close(sagaRuns, runId, done);
    expect(await Promise.all(waits)).toEqual([done, done]);
  });

  it('are polled when another process closes the run and every notification is lost', async () => {
    const waiting = aReplica({ pollEveryMs: 20 });
    const runId = await start(waiting);
    const wait = waiting.wait(runId, 5_000);
    await close(aReplica(), runId, { status: 'failed', code: 'INSUFFICIENT_FUNDS', details: { currency: 'USD' } });
    expect(await wait).toEqual({ status: 'failed', code: 'INSUFFICIENT_FUNDS', details: { currency: 'USD' } });
  });

  it('are closed only by the first close', async () => {
    const ended: string[] = [];
    const onEnded = ({ outcome }: EndedRun) => void ended.push(outcome);
    const sagaRuns = aReplica({ pollEveryMs: 20, onEnded });
    const runId = await start(sagaRuns);
    const failed: SagaOutcome = { status: 'failed', code: 'PROVIDER_TIMEOUT' };
    await Promise.all([
      close(sagaRuns, runId, done),
      close(sagaRuns, runId, failed),
      close(aReplica({ onEnded }), runId, failed),
    ]);
    expect(ended).toHaveLength(1);
    expect(await sagaRuns.wait(runId, 5_000)).toEqual(ended[0] === 'succeeded' ? done : failed);
  });

  it('are started and closed together with the commit, which resolves the requests of the closed runs', async () => {
    const sagaRuns = aReplica({ pollEveryMs: 20 });
    const runs = [newId('run'), newId('run'), newId('run')] as const;
    const started = runs.map((id) => ({ ...run, id }));
    await within((tx) => sagaRuns.startAll(tx, started));
    const failed: SagaOutcome = { status: 'failed', code: 'PROVIDER_TIMEOUT' };
    await close(aReplica(), runs[1], failed);
    const waits = runs.map((runId) => sagaRuns.wait(runId, 5_000));
    const ends = runs.map((runId) => ({ runId, outcome: done }));
    await within((tx) => sagaRuns.closeAllWithCommit(tx, ends));
    expect(await Promise.all(waits)).toEqual([done, failed, done]);
    const read = runs.map((runId) => aReplica({ pollEveryMs: 20 }).wait(runId, 5_000));
    expect(await Promise.all(read)).toEqual([done, failed, done]);
  });

  it('accept empty lists of runs', async () => {
    const sagaRuns = aReplica();
    await within((tx) => {
      sagaRuns.startAll(tx, []);
      sagaRuns.closeAllWithCommit(tx, []);
    });
  });

  it('stay open after an early response, and only the first one counts', async () => {
    const sagaRuns = aReplica({ pollEveryMs: 20 });
    const runId = await start(sagaRuns);
    const early: SagaOutcome = { status: 'succeeded', record: { status: 'ESCROW_CREATING' } };
    const wait = sagaRuns.wait(runId, 5_000);
    await within((tx) => sagaRuns.respondEarlyWithCommit(tx, runId, early));
    await within((tx) => sagaRuns.respondEarlyWithCommit(tx, runId, done));
    expect([await wait, await aReplica({ pollEveryMs: 20 }).wait(runId, 5_000)]).toEqual([early, early]);
    expect(await openIds(sagaRuns)).toContain(runId);
    await close(sagaRuns, runId, done);
    expect(await openIds(sagaRuns)).not.toContain(runId);
  });

  it('do not resolve a request when the close is rolled back', async () => {
    const sagaRuns = aReplica({ pollEveryMs: 20 });
    const runId = await start(sagaRuns);
    const wait = sagaRuns.wait(runId, 200);
    await database
      .inTransaction(async (tx) => {
        sagaRuns.closeAllWithCommit(tx, [{ runId, outcome: done }]);
        await tx.query('select 1');
        throw new Error('refused');
      })
      .catch(() => undefined);
    await expect(wait).rejects.toMatchObject({ code: 'PROVIDER_TIMEOUT' });
  });

  it('504 PROVIDER_TIMEOUT at the time limit, while the run stays open', async () => {
    const sagaRuns = aReplica();
    const runId = await start(sagaRuns);
    await expect(sagaRuns.wait(runId, 50)).rejects.toMatchObject({ code: 'PROVIDER_TIMEOUT', details: { sagaRunId: runId } });
    expect(await openIds(sagaRuns)).toContain(runId);
  });

  it('end the wait of a client that disconnects, and every wait when the process stops', async () => {
    const sagaRuns = aReplica();
    const runId = await start(sagaRuns);
    const leaving = new AbortController();
    const left = sagaRuns.wait(runId, 5_000, leaving.signal);
    const stopped = sagaRuns.wait(runId, 5_000);
    leaving.abort(new Error('the client disconnected'));
    await expect(left).rejects.toThrow('the client disconnected');
    sagaRuns.stop();
    await expect(stopped).rejects.toMatchObject({ code: 'PROVIDER_TIMEOUT', details: { sagaRunId: runId } });
    await expect(sagaRuns.wait(runId, 5_000)).rejects.toMatchObject({ code: 'PROVIDER_TIMEOUT' });
  });

  it('503 SERVICE_UNAVAILABLE for new requests once the process stops; a run that ends meanwhile resolves its request', async () => {
    const stopping = new AbortController();
    const sagaRuns = aReplica({ signal: stopping.signal, stopGraceMs: 60_000 });
    const runId = await start(sagaRuns);
    const wait = sagaRuns.wait(runId, 60_000);
    expect(() => sagaRuns.requireAccepting()).not.toThrow();
    stopping.abort();
    expect(() => sagaRuns.requireAccepting()).toThrow(expect.objectContaining({ code: 'SERVICE_UNAVAILABLE' }));
    await close(sagaRuns, runId, done);
    expect(await wait).toEqual(done);
  });

  it('send one notification to the reply queue of the process that started the run, unless it closes the run itself', async () => {
    const [starting, ending] = [losingBroker('queue of one'), losingBroker('queue of two')];
    const [one, other] = [aReplica({ broker: starting.broker }), aReplica({ broker: ending.broker })];
    const [closed, responded, own] = [await start(one), await start(one), await start(one)];
    await close(other, closed, done);
    await close(other, closed, done);
    await within((tx) => other.respondEarlyWithCommit(tx, responded, done));
    await close(one, own, done);
    const to = 'queue of one';
    expect(ending.sent).toEqual([closed, responded].map((key) => ({ to, topic: 'saga-run-completed', key })));
    expect(starting.sent).toEqual([]);
  });

  it('send no notification for a run without a reply queue', async () => {
    const { broker, sent } = losingBroker('queue of two');
    const runId = await start(aReplica({ broker: { ...broker, replyQueue: () => undefined } }));
    await close(aReplica({ broker }), runId, done);
    expect(sent).toEqual([]);
  });

  it('resolve a waiting request on a notification, also when it is repeated', async () => {
    const { broker, receive } = losingBroker('queue of one');
    const waiting = aReplica({ broker });
    const runId = await start(waiting);
    const wait = waiting.wait(runId, 5_000);
    const notification = { topic: 'saga-run-completed', key: runId };
    receive(notification); // too early: the run is open
    await close(aReplica(), runId, done);
    receive(notification);
    receive(notification);
    expect(await wait).toEqual(done);
    receive(notification);
  });

  it('are polled when the run was closed before the request waited', async () => {
    const { broker, receive } = losingBroker('queue of one');
    const waiting = aReplica({ broker, pollEveryMs: 20 });
    const [elsewhere, here] = [await start(waiting), await start(waiting)];
    await close(aReplica(), elsewhere, done);
    await close(waiting, here, done);
    receive({ topic: 'saga-run-completed', key: elsewhere });
    expect(await Promise.all([waiting.wait(elsewhere, 5_000), waiting.wait(here, 5_000)])).toEqual([done, done]);
  });

  it('are listed as stalled, oldest first, and pruned when closed longer than the retention', async () => {
    await database.pool.query('delete from saga_runs');
    const sagaRuns = aReplica();
    const [oldest, old, fresh, closed] = await Promise.all([start(sagaRuns), start(sagaRuns), start(sagaRuns), start(sagaRuns)]);
    const age = (runId: SagaRunId, interval: string) =>
      database.pool.query('update saga_runs set begun_at = now() - $2::interval where id = $1', [runId, interval]);
    await Promise.all([age(oldest, '3 minutes'), age(old, '2 minutes'), age(closed, '40 days'), close(sagaRuns, closed, done)]);
    await database.pool.query(`update saga_runs set closed_at = now() - interval '31 days' where id = $1`, [closed]);

    const stalled = await sagaRuns.stalledRuns(60_000, 10);

    expect(stalled.map(({ id }) => id)).toEqual([oldest, old]);
    expect(stalled[0]).toMatchObject({ ...run, begunAt: expect.stringMatching(/Z$/) });
    expect(await sagaRuns.prune(new AbortController().signal)).toBe(1);
    expect((await sagaRuns.stalledRuns(-1_000, 10)).map(({ id }) => id)).toContain(fresh);
  });
});

describe('saga runs of two processes on RabbitMQ', () => {
  it(
    'resolve the request through its reply queue when another replica closes the run',
    async () => {
      const url = await testRabbitmqUrl();
      const namespace = `saga-runs-${randomBytes(4).toString('hex')}`;
      const connect = (): Promise<Broker> => connectRabbitmq({ url, namespace, topology: { queues: [] }, log: silentLog });
      const [first, second] = await Promise.all([connect(), connect()]);
      const otherPool = await server.open({ service: 'saga-runs-test', migrations: [messagingMigrations] });
      const waiting = aReplica({ broker: first });
      const closing = aReplica({ broker: second, database: otherPool });

      const runId = await start(waiting);
      const wait = waiting.wait(runId, 10_000);
      await within((tx) => closing.closeAllWithCommit(tx, [{ runId, outcome: done }]), otherPool);

      expect(await wait).toEqual(done);
      await Promise.all([first.close(), second.close()]);
    },
    serverStartTimeoutMs,
  );
});
