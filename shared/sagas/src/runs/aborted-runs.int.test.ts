import type { Envelope } from '@holdfast/contracts/messages';
import { systemClock } from '@holdfast/kernel/instants';
import { defaultMarketplaceId, idFactory, type SagaRunId } from '@holdfast/kernel/ids';
import type { Database, Tx } from '@holdfast/postgres';
import { eventually } from '@holdfast/testing/eventually';
import { testDatabase, type TestDatabase } from '@holdfast/testing/postgres';
import { serverStartTimeoutMs } from '@holdfast/testing/servers';
import { messagingMigrations } from '@holdfast/messaging/outbox';
import { abortRun, findAbortedRuns } from './aborted-runs.js';

const clock = systemClock();
const newId = idFactory(clock.epochMs);
const consumer = 'aborts-test';
let server: TestDatabase;
let database: Database;
let published: Envelope[];

beforeAll(async () => {
  server = await testDatabase();
  const own = server.migrations({ '0001-effects.sql': 'create table effects (run_id text primary key);' });
  database = await server.open({ service: 'aborts-test', migrations: [messagingMigrations, own] });
}, serverStartTimeoutMs);

beforeEach(() => {
  published = [];
});

afterAll(async () => {
  await server.drop();
});

const outbox = {
  republish: (_: Tx, envelopes: readonly Envelope[]) => {
    published.push(...envelopes);
    return Promise.resolve();
  },
};

function aMessage(sagaRunId: SagaRunId, text: string): Envelope {
  return {
    id: newId('evt'),
    type: 'notice.posted',
    version: 1,
    occurredAt: clock.now(),
    aggregateType: 'Order',
    aggregateId: 'ord_1',
    aggregateVersion: 1,
    marketplaceId: defaultMarketplaceId,
    correlationId: 'test',
    saga: 'reserve',
    sagaRunId,
    payload: { text },
  };
}

/** The step of a participant: it has an effect unless its run was aborted. */
async function handleCommand(tx: Tx, runId: SagaRunId): Promise<boolean> {
  if ((await findAbortedRuns(tx, [runId])).has(runId)) return false;
  await tx.query('insert into effects (run_id) values ($1)', [runId]);
  return true;
}

function handleAbort(tx: Tx, runId: SagaRunId): Promise<boolean> {
  return abortRun(tx, outbox, {
    consumer,
    message: aMessage(runId, 'abort'),
    isTaken: async () => (await tx.query('select 1 from effects where run_id = $1', [runId])).length > 0,
    publish: () => {
      const reply = aMessage(runId, 'refused');
      published.push(reply);
      return Promise.resolve(reply);
    },
  });
}

const inTransaction = <T>(work: (tx: Tx) => Promise<T>): Promise<T> => database.inTransaction(work);
const textsOf = (envelopes: readonly Envelope[]) => envelopes.map(({ payload }) => (payload as { readonly text: string }).text);

async function advisoryLocks(isGranted: boolean): Promise<number> {
  const select = `
    select 1
    from pg_locks
    where locktype = 'advisory'
      and granted = $1
      and database = (select oid from pg_database where datname = current_database())`;
  return (await server.asAdmin(select, [isGranted])).length;
}

type Act = (tx: Tx, runId: SagaRunId) => Promise<boolean>;
type Held = { readonly result: Promise<boolean>; readonly letGo: () => void };

/** Runs `act` in a transaction that stops after it has locked the run: before it reads `aborted_runs`, or before it commits. */
async function hold(act: Act, runId: SagaRunId, before: 'read' | 'commit'): Promise<Held> {
  let letGo = (): void => undefined;
  const gate = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  const result = inTransaction(async (tx) => {
    const query: Tx['query'] = async (sql, values) => {
      if (typeof sql === 'object' && 'name' in sql && sql.name === 'find-aborted-runs' && before === 'read') await gate;
      return tx.query(sql, values);
    };
    const hasActed = await act({ ...tx, query }, runId);
    await gate;
    return hasActed;
  });
  await eventually(async () => expect(await advisoryLocks(true)).toBe(1));
  return { result, letGo };
}

describe('an abort of a saga run', () => {
  it('refuses the command that comes later, with the reply that was published', async () => {
    const runId = newId('run');
    expect(await inTransaction((tx) => handleAbort(tx, runId))).toBe(true);
    expect(await inTransaction((tx) => handleCommand(tx, runId))).toBe(false);
    const replies = (await inTransaction((tx) => findAbortedRuns(tx, [runId]))).get(runId) ?? [];
    expect(replies).toEqual(published);
    expect(textsOf(replies)).toEqual(['refused']);
  });

  it('does nothing after the command', async () => {
    const runId = newId('run');
    expect(await inTransaction((tx) => handleCommand(tx, runId))).toBe(true);
    expect(await inTransaction((tx) => handleAbort(tx, runId))).toBe(false);
    expect(published).toEqual([]);
  });

  it('publishes the same reply again when it is repeated', async () => {
    const runId = newId('run');
    await inTransaction((tx) => handleAbort(tx, runId));
    await inTransaction((tx) => handleAbort(tx, runId));
    expect(published).toHaveLength(2);
    expect(new Set(published.map(({ id }) => id)).size).toBe(1);
  });

  it('and the command that arrive at once have exactly one winner', async () => {
    const runIds = Array.from({ length: 40 }, () => newId('run'));
    const results = await Promise.all(
      runIds.map((runId, index) => {
        const both = [() => inTransaction((tx) => handleCommand(tx, runId)), () => inTransaction((tx) => handleAbort(tx, runId))];
        return Promise.all((index % 2 === 0 ? both : both.toReversed()).map((handle) => handle()));
      }),
    );
    for (const [one, other] of results) expect([one, other].filter(Boolean)).toHaveLength(1);
  });
});

describe.each(['read', 'commit'] as const)('a transaction that stops between its lock and its %s', (before) => {
  it.each([
    ['of an abort holds back the command, which is then refused', handleAbort, handleCommand],
    ['of a command holds back the abort, which then does nothing', handleCommand, handleAbort],
  ] as const)('%s', async (_, first, second) => {
    const runId = newId('run');
    const { result, letGo } = await hold(first, runId, before);
    const later = inTransaction((tx) => second(tx, runId));
    await eventually(async () => expect(await advisoryLocks(false)).toBe(1));
    letGo();
    expect([await result, await later]).toEqual([true, false]);
  });

  it('of an abort holds back neither the abort nor the command of another run', async () => {
    const { result, letGo } = await hold(handleAbort, newId('run'), before);
    expect(await inTransaction((tx) => handleAbort(tx, newId('run')))).toBe(true);
    expect(await inTransaction((tx) => handleCommand(tx, newId('run')))).toBe(true);
    letGo();
    expect(await result).toBe(true);
  });
});
