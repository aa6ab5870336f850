import type { Database } from '@holdfast/postgres';
import { testDatabase, type TestDatabase } from '@holdfast/testing/postgres';
import { serverStartTimeoutMs } from '@holdfast/testing/servers';
import { backoffInterval, claimDue, nextDue, readNextDue } from './index.js';

type Claimed = { readonly ref: string; readonly attempts: number };

const claim = claimDue({
  name: 'claim-errands',
  table: 'errands',
  key: 'ref',
  where: 'due_at <= now()',
  orderBy: 'due_at',
  limit: '$1',
  set: `attempts = attempts + 1, due_at = now() + ${backoffInterval({ attempts: 'attempts', first: '$2', max: '$3' })}`,
  returning: 'errands.ref, attempts',
});

let server: TestDatabase;
let database: Database;

beforeAll(async () => {
  server = await testDatabase();
  const table = 'create table errands (ref text primary key, due_at timestamptz not null, attempts integer not null default 0);';
  database = await server.open({ service: 'work', migrations: [server.migrations({ '0001-errands.sql': table })] });
}, serverStartTimeoutMs);

beforeEach(() => database.pool.query('delete from errands'));

afterAll(() => server.drop());

async function claimed(countMax: number, { firstSeconds = 60, maxSeconds = 3_600 } = {}): Promise<readonly Claimed[]> {
  return (await database.pool.query<Claimed>({ ...claim, values: [countMax, firstSeconds, maxSeconds] })).rows;
}

async function anErrand(ref: string, dueAt: string, attempts = 0): Promise<void> {
  await database.pool.query(`insert into errands (ref, due_at, attempts) values ($1, now() + $2::interval, $3)`, [
    ref,
    dueAt,
    attempts,
  ]);
}

async function secondsUntilDue(ref: string): Promise<number> {
  const text = 'select extract(epoch from due_at - now())::float8 as seconds from errands where ref = $1';
  const { rows } = await database.pool.query<{ readonly seconds: number }>(text, [ref]);
  return rows[0]?.seconds ?? Number.NaN;
}

describe('claimDue', () => {
  it('claims what is due, longest due first, and not again before its next due time', async () => {
    await anErrand('later', '1 hour');
    await anErrand('old', '-2 hours');
    await anErrand('older', '-3 hours');
    await anErrand('oldest', '-4 hours');

    const first = await claimed(2);
    const second = await claimed(10);

    expect(first.map(({ ref }) => ref).toSorted()).toEqual(['older', 'oldest']);
    expect(second).toEqual([{ ref: 'old', attempts: 1 }]);
    expect(await claimed(10)).toEqual([]);
  });

  it('gives each row to one of several callers', async () => {
    for (let n = 0; n < 40; n += 1) await anErrand(`errand-${n}`, '-1 hour');

    const batches = await Promise.all(Array.from({ length: 8 }, () => claimed(5)));

    const refs = batches.flat().map(({ ref }) => ref);
    expect(new Set(refs).size).toBe(refs.length);
    expect(refs.length + (await claimed(40)).length).toBe(40);
  });

  it('skips a row that another transaction has locked', async () => {
    await anErrand('locked', '-2 hours');
    await anErrand('free', '-1 hour');

    const seen = await database.inTransaction(async (tx) => {
      await tx.query(`select ref from errands where ref = 'locked' for update`);
      return claimed(10);
    });

    expect(seen).toEqual([{ ref: 'free', attempts: 1 }]);
    expect(await claimed(10)).toEqual([{ ref: 'locked', attempts: 1 }]);
  });
});

describe('backoffInterval', () => {
  it.each([
    [0, 60],
    [1, 120],
    [3, 480],
    [10, 3_600],
    [2_000_000_000, 3_600],
  ])('after %d attempts the next due time is %d s away', async (attempts, seconds) => {
    await anErrand('errand', '-1 hour', attempts);
    await claimed(1);
    const left = await secondsUntilDue('errand');
    expect(left).toBeGreaterThan(seconds - 30);
    expect(left).toBeLessThanOrEqual(seconds);
  });
});

describe('nextDue', () => {
  const first = nextDue({ name: 'next-errand', table: 'errands', where: 'attempts < 5', dueAt: 'due_at' });

  it('returns in how many milliseconds the first row is due, and undefined if none waits', async () => {
    expect(await readNextDue(database.pool, first)).toBeUndefined();
    await anErrand('later', '2 hours');
    await anErrand('sooner', '1 hour');
    await anErrand('given-up', '1 minute', 5);

    const inMs = await readNextDue(database.pool, first);

    expect(inMs).toBeGreaterThan(3_500_000);
    expect(inMs).toBeLessThanOrEqual(3_600_000);
  });
});
