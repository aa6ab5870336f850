import { systemClock } from '@holdfast/kernel/instants';
import { defaultMarketplaceId, idFactory, type SagaRunId } from '@holdfast/kernel/ids';
import type { Database, Tx } from '@holdfast/postgres';
import { silentLog } from '@holdfast/testing/log';
import { testDatabase, type TestDatabase } from '@holdfast/testing/postgres';
import { serverStartTimeoutMs } from '@holdfast/testing/servers';
import { messagingMigrations } from '@holdfast/messaging/outbox';
import { createSagaRuns, type SagaRuns } from './saga-runs.js';

const newId = idFactory(systemClock().epochMs);
const run = { saga: 'reserve', aggregateId: 'ord_1', marketplaceId: defaultMarketplaceId, correlationId: 'req-1' };
const broker = { replyQueue: () => undefined, notify: () => undefined, onNotification: () => () => undefined };
const retries = { firstAfterMs: 60_000, afterMsMax: 900_000 };
const deadlines = { sagas: ['reserve'], afterMs: 600_000 };
let server: TestDatabase;
let database: Database;
let sagaRuns: SagaRuns;

beforeAll(async () => {
  server = await testDatabase();
  database = await server.open({ service: 'run-retries-test', migrations: [messagingMigrations] });
  sagaRuns = createSagaRuns({ database, broker, log: silentLog, retries, deadlines });
}, serverStartTimeoutMs);

beforeEach(async () => {
  await database.pool.query('delete from saga_runs');
});

afterAll(async () => {
  sagaRuns.stop();
  await server.drop();
});

async function start(saga = run.saga): Promise<SagaRunId> {
  const id = newId('run');
  await within((tx) => sagaRuns.startAll(tx, [{ ...run, saga, id }]));
  return id;
}

function within(write: (tx: Tx) => void): Promise<void> {
  return database.inTransaction((tx) => {
    write(tx);
    return Promise.resolve();
  });
}

/** Makes the retry of a run due since this many seconds. */
const makeDue = (runId: SagaRunId, seconds = 1) =>
  database.pool.query('update saga_runs set next_retry_at = now() - make_interval(secs => $2) where id = $1', [runId, seconds]);

const takenIds = async (limitMax: number): Promise<readonly SagaRunId[]> =>
  (await sagaRuns.takeDue(limitMax)).map(({ id }) => id).toSorted();

const delaySecondsOf = async (runId: SagaRunId): Promise<number | undefined> => {
  const { rows } = await database.pool.query<{ readonly seconds: number }>(
    'select round(extract(epoch from next_retry_at - now()))::int as seconds from saga_runs where id = $1',
    [runId],
  );
  return rows[0]?.seconds;
};

describe('the retries of a saga run', () => {
  it('begin after the first delay, which doubles up to its limit', async () => {
    const runId = await start();
    expect(await takenIds(10)).toEqual([]);
    const delays = [await delaySecondsOf(runId)];
    for (let attempt = 1; attempt <= 6; attempt += 1) {
      await makeDue(runId);
      expect(await sagaRuns.takeDue(10)).toMatchObject([{ ...run, id: runId, attempts: attempt, retryStoppedReason: null }]);
      delays.push(await delaySecondsOf(runId));
    }
    const wanted = [60, 120, 240, 480, 900, 900, 900];
    // Each delay was read a moment after it was set.
    expect(delays.map((delay, index) => Math.abs((delay ?? 0) - (wanted[index] ?? 0)) <= 30)).toEqual(wanted.map(() => true));
  });

  it('stay at the limit however often the command was resent', async () => {
    const runId = await start();
    await makeDue(runId);
    await database.pool.query('update saga_runs set attempts = 2000000000');
    expect(await takenIds(10)).toEqual([runId]);
    expect(await delaySecondsOf(runId)).toBeGreaterThan(0);
  });

  it('are taken longest due first, and not again until they are due again', async () => {
    const [late, later, latest] = [await start(), await start(), await start()];
    await Promise.all([makeDue(late, 10), makeDue(later, 20), makeDue(latest, 30)]);
    expect(await takenIds(2)).toEqual([later, latest].toSorted());
    expect(await takenIds(2)).toEqual([late]);
    expect(await takenIds(2)).toEqual([]);
  });

  it('tell when the first of them is due, and when the first run is past its deadline', async () => {
    expect([await sagaRuns.nextDueInMs(), await sagaRuns.nextOverdueInMs()]).toEqual([undefined, undefined]);
    const stopped = await start('without a deadline');
    await within((tx) => sagaRuns.stopRetriesWithCommit(tx, stopped, 'of the test'));
    expect([await sagaRuns.nextDueInMs(), await sagaRuns.nextOverdueInMs()]).toEqual([undefined, undefined]);
    const due = await start();
    const inMs = [(await sagaRuns.nextDueInMs()) ?? 0, (await sagaRuns.nextOverdueInMs()) ?? 0];
    expect(inMs.map((ms) => Math.ceil(ms / retries.firstAfterMs))).toEqual([1, deadlines.afterMs / retries.firstAfterMs]);
    await makeDue(due);
    expect(await sagaRuns.nextDueInMs()).toBeLessThan(0);
  });

  it('of one run are taken by one of two replicas', async () => {
    const runIds = await Promise.all(Array.from({ length: 40 }, start));
    await Promise.all(runIds.map((runId) => makeDue(runId)));
    const taken = (await Promise.all(Array.from({ length: 8 }, () => takenIds(10)))).flat();
    taken.push(...(await takenIds(40))); // what a concurrent call has skipped
    expect(taken.toSorted()).toEqual(runIds.toSorted());
  });

  it('end when the run is closed', async () => {
    const runId = await start();
    await makeDue(runId);
    await within((tx) => sagaRuns.closeAllWithCommit(tx, [{ runId, outcome: { status: 'succeeded' } }]));
    expect(await takenIds(10)).toEqual([]);
    expect(await sagaRuns.restartRetries(runId)).toBeUndefined();
  });

  it('can be stopped, and started again by an operator', async () => {
    const runId = await start();
    await database.inTransaction((tx) => {
      sagaRuns.stopRetriesWithCommit(tx, runId, 'the contract was paid out in another way');
      return Promise.resolve();
    });
    const stopped = { attempts: 0, nextRetryAt: null, retryStoppedReason: 'the contract was paid out in another way' };
    expect(await sagaRuns.stalledRuns(-1_000, 10)).toMatchObject([{ id: runId, ...stopped }]);
    expect(await sagaRuns.restartRetries(runId)).toMatchObject({ id: runId, attempts: 0, retryStoppedReason: null });
    await makeDue(runId);
    expect(await takenIds(10)).toEqual([runId]);
  });
});

describe('10,000 runs that cannot end', () => {
  const stuckRuns = 10_000;

  beforeEach(async () => {
    await database.pool.query(
      `insert into saga_runs (id, saga, aggregate_id, marketplace_id, correlation_id, begun_at, attempts, next_retry_at)
       select 'run_' || n, 'reserve', 'ord_' || n, $1, 'req', now() - interval '1 day', 20, now() - make_interval(secs => n)
       from generate_series(1, ${stuckRuns}) as n`,
      [defaultMarketplaceId],
    );
    await server.asAdmin('analyze run_retries_test.saga_runs');
  });

  it('do not delay a fresh one: after one round it is the only one that is due', async () => {
    const batch = 1_000;
    for (let taken = batch; taken === batch;) taken = (await takenIds(batch)).length;
    const fresh = await start();
    await makeDue(fresh);
    expect(await takenIds(batch)).toEqual([fresh]);
  });

  it('are taken by index, however many runs are closed', async () => {
    await database.pool.query(
      `insert into saga_runs (id, saga, aggregate_id, marketplace_id, correlation_id, closed_at, outcome, next_retry_at)
       select 'run_closed' || n, 'reserve', 'ord_' || n, $1, 'req', now(), '{}', now() - make_interval(secs => n)
       from generate_series(1, 100000) as n`,
      [defaultMarketplaceId],
    );
    await server.asAdmin('analyze run_retries_test.saga_runs');
    const query = jest.spyOn(database.lists, 'query');
    await sagaRuns.takeDue(100);
    const [statement] = query.mock.calls.at(-1) ?? [];
    query.mockRestore();
    const { text, values } = statement as unknown as { readonly text: string; readonly values: readonly unknown[] };
    const { rows } = await database.lists.query<{ readonly 'QUERY PLAN': string }>({ text: `explain ${text}`, values });
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
    expect(plan).toContain('Index Scan using saga_runs_due');
    expect(plan).not.toContain('Seq Scan');
  });
});

describe('the deadline of a saga run', () => {
  const makeOverdue = (runId: SagaRunId, seconds = 1) =>
    database.pool.query('update saga_runs set deadline_at = now() - make_interval(secs => $2) where id = $1', [runId, seconds]);
  const overdueIds = async (limitMax: number) => (await sagaRuns.takeOverdue(limitMax)).map(({ id }) => id).toSorted();

  it('is taken once, longest overdue first, and again after the same time', async () => {
    const [one, other, fresh] = [await start(), await start(), await start()];
    expect(await overdueIds(10)).toEqual([]);
    await makeOverdue(one, 10);
    await makeOverdue(other, 20);
    expect(await overdueIds(1)).toEqual([other]);
    expect(await overdueIds(10)).toEqual([one]);
    expect(await overdueIds(10)).toEqual([]);
    const { rows } = await database.pool.query<{ readonly isAhead: boolean }>(
      `select bool_and(deadline_at > now() + interval '9 minutes') as "isAhead" from saga_runs where id = any($1)`,
      [[one, other, fresh]],
    );
    expect(rows).toEqual([{ isAhead: true }]);
  });

  it('is taken by one replica only', async () => {
    const runIds = await Promise.all(Array.from({ length: 20 }, start));
    await Promise.all(runIds.map((runId) => makeOverdue(runId)));
    const taken = await Promise.all([sagaRuns.takeOverdue(100), sagaRuns.takeOverdue(100)]);
    expect(
      taken
        .flat()
        .map(({ id }) => id)
        .toSorted(),
    ).toEqual(runIds.toSorted());
  });

  it('does not exist for a closed run, and for a saga without one', async () => {
    const closed = await start();
    const cancel = await start('cancel');
    await makeOverdue(closed);
    await within((tx) => sagaRuns.closeAllWithCommit(tx, [{ runId: closed, outcome: { status: 'succeeded' } }]));
    const { rows } = await database.pool.query('select deadline_at from saga_runs where id = $1', [cancel]);
    expect(rows).toEqual([{ deadline_at: null }]);
    expect(await overdueIds(10)).toEqual([]);
  });
});

describe('a stopping process', () => {
  it('504 PROVIDER_TIMEOUT for waiting requests after the grace period, while their runs stay open', async () => {
    const stopping = new AbortController();
    const options = { database, broker, log: silentLog, retries, deadlines };
    const stopped = createSagaRuns({ ...options, signal: stopping.signal, stopGraceMs: 10 });
    const runId = await start();
    const wait = stopped.wait(runId, 60_000);
    stopping.abort();
    await expect(wait).rejects.toMatchObject({ code: 'PROVIDER_TIMEOUT', details: { sagaRunId: runId } });
    expect((await sagaRuns.stalledRuns(-1_000, 1_000)).map(({ id }) => id)).toContain(runId);
    stopped.stop();
  });
});
