import { AppError } from '@holdfast/shared/errors';
import { messagingMigrations, once } from '@holdfast/shared/outbox';
import type { Database, Tx } from '@holdfast/shared/postgres';
import { testDatabase, type TestDatabase } from '@holdfast/shared/testing/postgres';
import { workTogether, type Job as AnyJob, type Together } from './together.js';

let server: TestDatabase;
let database: Database;

beforeAll(async () => {
  server = await testDatabase();
  database = await server.open({ service: 'together-test', migrations: [messagingMigrations] });
});

beforeEach(async () => {
  await database.pool.query('delete from inbox');
});

afterAll(async () => {
  await server.drop();
});

const insert = `insert into inbox (consumer, message_id) values ('written', $1)`;
const count = `select count(*)::int as count from inbox where consumer = 'written' and message_id like $1`;

async function countOf(tx: Pick<Tx, 'query'>, orderId: string): Promise<number> {
  const [row] = await tx.query<{ readonly count: number }>(count, [`${orderId}/%`]);
  return row?.count ?? 0;
}

/** The rows that are to be written. */
type Draft = string[];
type Job<Result> = AnyJob<Draft, Result>;

/** Writes one row more than there are of its order, unless it throws. */
function aJob(orderId: string, refusal?: Error): Job<number> {
  const decideOn = (seen: number) => (draft: Draft) => {
    draft.push(`${orderId}/${(seen + 1).toString()}`);
    if (refusal !== undefined) throw refusal;
    return seen + 1;
  };
  return { orderId, read: async (tx) => decideOn(await countOf(tx, orderId)) };
}

async function written(): Promise<readonly string[]> {
  const { rows } = await database.pool.query<{ readonly message_id: string }>('select message_id from inbox order by message_id');
  return rows.map(({ message_id }) => message_id);
}

type Shop = Together<Draft> & { readonly commits: jest.SpyInstance; readonly mistaken: jest.Mock };

function together(): Shop {
  const mistaken = jest.fn();
  const shop = workTogether<Draft>({
    database,
    newDraft: () => [],
    write: (tx, drafts) => drafts.flat().forEach((row) => tx.defer(insert, [row])),
    mistaken,
  });
  return { ...shop, commits: jest.spyOn(database, 'inTransaction').mockClear(), mistaken };
}

/** Counts how often the next connection that is taken asks the server for something. */
function countTrips(): jest.Mock {
  const trips = jest.fn();
  database.pool.once('acquire', (client) => {
    const query = client.query.bind(client) as (...given: unknown[]) => unknown;
    const spy = jest.spyOn(client, 'query').mockImplementation((...given: unknown[]) => {
      trips();
      return query(...given);
    });
    database.pool.once('release', () => spy.mockRestore());
  });
  return trips;
}

const outcomes = (settled: readonly PromiseSettledResult<unknown>[]) => settled.map(({ status }) => status);

describe('jobs that come at once', () => {
  it('share one transaction and two trips to the database, and are answered each for itself', async () => {
    const { submit, commits } = together();
    const trips = countTrips();
    expect(await Promise.all(['a', 'b', 'c'].map((id) => submit(aJob(id))))).toEqual([1, 1, 1]);
    expect(commits).toHaveBeenCalledTimes(1);
    expect(trips).toHaveBeenCalledTimes(2);
  });

  it('take turns on one order: each sees what the one before has done', async () => {
    const { submit, commits } = together();
    expect(await Promise.all(['a', 'a', 'b', 'a'].map((id) => submit(aJob(id))))).toEqual([1, 2, 1, 3]);
    expect(commits).toHaveBeenCalledTimes(3);
    expect(await written()).toEqual(['a/1', 'a/2', 'a/3', 'b/1']);
  });

  it('leave nothing of one that is refused, and all of its neighbours', async () => {
    const { submit, commits } = together();
    const refused = aJob('b', new AppError('INVALID_STATE'));
    const settled = await Promise.allSettled([submit(aJob('a')), submit(refused), submit(aJob('c'))]);
    expect(outcomes(settled)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(commits).toHaveBeenCalledTimes(1);
    expect(await written()).toEqual(['a/1', 'c/1']);
  });

  it.each([
    ['throws', aJob('b', new Error('a bug'))],
    ['writes what the database refuses', { ...aJob('b'), read: aJob('b/\0').read }],
  ])('are done one by one where one of them %s', async (_, bad) => {
    const { submit } = together();
    const settled = await Promise.allSettled([submit(aJob('a')), submit(bad), submit(aJob('c'))]);
    expect(outcomes(settled)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(await written()).toEqual(['a/1', 'c/1']);
  });

  it('are decided again where a rival of another process got ahead', async () => {
    const { submit } = together();
    let isFirst = true;
    const overtaken: Job<number> = {
      orderId: 'a',
      read: async (tx) => {
        const decide = await aJob('a').read(tx);
        if (isFirst) await database.pool.query(insert, ['a/1']);
        isFirst = false;
        return decide;
      },
    };
    expect(await submit(overtaken)).toBe(2);
  });

  it('come to nothing where the process dies before the commit, and happen once when they come again', async () => {
    const { submit } = together();
    const dying: Job<unknown> = {
      orderId: 'b',
      read: async (tx) => {
        await tx.query('select pg_terminate_backend(pg_backend_pid())');
        return () => undefined;
      },
    };
    const settled = await Promise.allSettled([submit(aJob('a')), submit(dying)]);
    expect(settled).toMatchObject([{ reason: { code: 'SERVICE_UNAVAILABLE' } }, { reason: { code: 'SERVICE_UNAVAILABLE' } }]);
    expect(await written()).toEqual([]);
    expect(await submit(aJob('a'))).toBe(1);
  });
});

describe('a message', () => {
  const heard = (refusal?: Error): Job<boolean> => ({
    orderId: 'a',
    leavesTrace: true,
    read: async (tx) => {
      const [isNew, decide] = await Promise.all([once(tx, 'heard', 'm'), aJob('a', refusal).read(tx)]);
      return (draft) => {
        if (isNew) decide(draft);
        return isNew;
      };
    },
  });

  it('counts once, however often it comes at once', async () => {
    const { submit } = together();
    expect(await Promise.all([submit(heard()), submit(heard()), submit(aJob('b'))])).toEqual([true, false, 1]);
    expect(await written()).toEqual(['a/1', 'b/1', 'm']);
  });

  it('is not noted as heard where it is refused, so that it can come again', async () => {
    const { submit } = together();
    const settled = await Promise.allSettled([submit(heard(new AppError('INVALID_STATE'))), submit(aJob('b'))]);
    expect(outcomes(settled)).toEqual(['rejected', 'fulfilled']);
    expect(await written()).toEqual(['b/1']);
    expect(await submit(heard())).toBe(true);
  });
});

describe('what is known without asking', () => {
  /** Believes that so many rows are there. */
  const believing = (orderId: string, seen: number, refusal?: Error): Job<number> => ({
    ...aJob(orderId),
    recall: () => (draft) => {
      draft.push(`${orderId}/${(seen + 1).toString()}`);
      if (refusal !== undefined) throw refusal;
      return seen + 1;
    },
  });

  it('is decided and committed in one trip', async () => {
    const { submit, commits, mistaken } = together();
    const trips = countTrips();
    expect(await Promise.all([submit(believing('a', 0)), submit(believing('b', 6))])).toEqual([1, 7]);
    expect([commits.mock.calls.length, trips.mock.calls.length, mistaken.mock.calls.length]).toEqual([1, 1, 0]);
    expect(await written()).toEqual(['a/1', 'b/7']);
  });

  it('shares the commit of what has to be asked for', async () => {
    const { submit, commits } = together();
    expect(await Promise.all([submit(aJob('a')), submit(believing('b', 6))])).toEqual([1, 7]);
    expect(commits).toHaveBeenCalledTimes(1);
  });

  it('is asked for where it was wrong, together with its neighbours', async () => {
    const { submit, commits, mistaken } = together();
    await submit(aJob('a'));
    commits.mockClear();
    expect(await Promise.all([submit(believing('a', 0)), submit(believing('b', 0)), submit(aJob('c'))])).toEqual([2, 1, 1]);
    expect(commits).toHaveBeenCalledTimes(2);
    expect(mistaken).toHaveBeenCalledWith(expect.objectContaining({ code: '23505' }));
    expect(await written()).toEqual(['a/1', 'a/2', 'b/1', 'c/1']);
  });

  it.each([
    ['a refusal', new AppError('INVALID_STATE')],
    ['a bug', new Error('a bug')],
  ])('refuses nothing: where it comes to %s, it is asked for', async (_, refusal) => {
    const { submit, mistaken } = together();
    expect(await Promise.all([submit(believing('a', 4, refusal)), submit(believing('b', 0))])).toEqual([1, 1]);
    expect(mistaken).not.toHaveBeenCalled();
    expect(await written()).toEqual(['a/1', 'b/1']);
  });

  it('is not tried again where nobody knows what became of the commit', async () => {
    const { submit } = together();
    const cut = jest
      .spyOn(database, 'inTransaction')
      .mockRejectedValueOnce(new AppError('SERVICE_UNAVAILABLE', {}, { cause: lost }));
    await expect(submit(believing('a', 0))).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    expect(cut).toHaveBeenCalledTimes(1);
    expect(await written()).toEqual([]);
  });

  const lost = new Error('Connection terminated unexpectedly');
});
