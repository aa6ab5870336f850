import { randomBytes } from 'node:crypto';
import { connectRabbitmq, type Broker, type Hint } from '../broker/index.js';
import { systemClock } from '../context/index.js';
import { defaultMarketplaceId, idFactory, type SagaRunId } from '../ids/index.js';
import { messagingMigrations } from '../outbox/index.js';
import type { Database, Tx } from '../postgres/index.js';
import { silentLog } from '../testing/log/index.js';
import { testDatabase, type TestDatabase } from '../testing/postgres/index.js';
import { testRabbitmqUrl } from '../testing/rabbitmq/index.js';
import { serverStartTimeoutMs } from '../testing/servers/index.js';
import { createSettlement, type Outcome, type Settlement, type SettlementOptions } from './index.js';

const clock = systemClock();
const newId = idFactory(clock.epochMs);
const run = { saga: 'reserve', aggregateId: 'ord_1', marketplaceId: defaultMarketplaceId, correlationId: 'req-1' };
const done: Outcome = { status: 'succeeded', record: { id: 'ord_1', status: 'FUNDS_RESERVED' } };
const settlements: Settlement[] = [];
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

/** Without a broker that carries hints, unless one is given. */
function aReplica(options: Partial<SettlementOptions> = {}): Settlement {
  const deaf = { broadcast: () => undefined, onBroadcast: () => () => undefined };
  const settlement = createSettlement({ database, broker: deaf, newId, log: silentLog, pollEveryMs: 60_000, ...options });
  settlements.push(settlement);
  return settlement;
}

function begin(settlement: Settlement): Promise<SagaRunId> {
  return database.inTransaction((tx) => settlement.begin(tx, run));
}

function close(settlement: Settlement, runId: SagaRunId, outcome: Outcome): Promise<boolean> {
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

  it('finds a run that another process closed by polling, when every hint is lost', async () => {
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
    const failed: Outcome = { status: 'failed', code: 'PROVIDER_TIMEOUT' };
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
    await within((tx) => settlement.beginAll(tx, begun));
    const failed: Outcome = { status: 'failed', code: 'PROVIDER_TIMEOUT' };
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
      settlement.beginAll(tx, []);
      settlement.closeAllWithCommit(tx, []);
      return Promise.resolve();
    });
  });

  it('answers early and stays open: the first answer counts for whoever waits, and the end comes later', async () => {
    const settlement = aReplica({ pollEveryMs: 20 });
    const runId = await begin(settlement);
    const early: Outcome = { status: 'succeeded', record: { status: 'ESCROW_CREATING' } };
    const answer = () => database.inTransaction((tx) => settlement.answer(tx, runId, early));
    const wait = settlement.wait(runId, 5_000);
    expect([await answer(), await answer()]).toEqual([true, false]);
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

  it('looks at once when the hint came before anybody waited', async () => {
    let tell = (_: Hint): void => undefined;
    const broker: SettlementOptions['broker'] = {
      broadcast: () => undefined,
      onBroadcast: (_topics, listener) => {
        tell = listener;
        return () => undefined;
      },
    };
    const waiting = aReplica({ broker });
    const runId = await begin(waiting);
    await close(aReplica(), runId, done);
    tell({ topic: 'saga-run-closed', key: runId });
    expect(await waiting.wait(runId, 5_000)).toEqual(done);
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

    const still = await settlement.standingStill(60_000, 10);

    expect(still.map(({ id }) => id)).toEqual([oldest, old]);
    expect(still[0]).toMatchObject({ ...run, begunAt: expect.stringMatching(/Z$/) });
    expect(await settlement.prune(new AbortController().signal)).toBe(1);
    expect((await settlement.standingStill(-1_000, 10)).map(({ id }) => id)).toContain(fresh);
  });
});

describe('settlement between two processes on RabbitMQ', () => {
  it(
    'is woken by the hint when a replica that did not begin the run closes it',
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
