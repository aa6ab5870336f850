import type { QueryConfig } from 'pg';
import { testDatabase, type TestDatabase } from '../testing/postgres/index.js';
import { serverStartTimeoutMs } from '../testing/servers/index.js';
import type { Database, Statement } from './index.js';

let server: TestDatabase;
let database: Database;

beforeAll(async () => {
  server = await testDatabase();
  const migrations = server.migrations({
    '0001-things.sql': `
      create table things (id text primary key, value int not null);
      create table parts (thing text not null references things deferrable initially deferred);`,
  });
  database = await server.open({ service: 'prepared', migrations: [migrations], poolMax: 6 });
}, serverStartTimeoutMs);

afterAll(async () => {
  await server.drop();
});

beforeEach(async () => {
  await database.pool.query(`truncate things cascade; insert into things values ('a', 0), ('b', 0)`);
});

const raise = { name: 'raise', text: 'update things set value = value + 1 where id = $1 returning value' };

function withValues(statement: Statement, values: unknown[]): QueryConfig {
  return { ...statement, values };
}

/** As the driver does it, on a connection of the same pool. */
async function byDriver(config: QueryConfig): Promise<unknown> {
  const client = await database.pool.connect();
  try {
    return (await client.query(config)).rows;
  } finally {
    client.release();
  }
}

describe('a named statement', () => {
  it.each([
    ['numbers', `select 1::int2 as a, 2::int4 as b, 9007199254740993::int8 as c, 1.5::float8 as d, 1.50::numeric as e`],
    ['text', `select 'grüße "\\ {}'::text as a, ''::text as b, 'x'::varchar as c, null::text as d`],
    ['truth and nothing', 'select true as a, false as b, null::int8 as c, null::jsonb as d, null::timestamptz as e'],
    ['instants and dates', `select '2026-01-31 12:00:00.5+00'::timestamptz as a, '2026-01-31'::date::text as b`],
    ['JSON', `select '{"deep": [1, null, "two"]}'::jsonb as a, '[1.5]'::json as b, 'null'::jsonb as c`],
    ['bytes', `select '\\x00ff'::bytea as a`],
    [
      'arrays',
      `select array[1, null]::int8[] as a, array[['x'], ['y,"z']] as b, '{}'::text[] as c, array[now()]::date[]::text[] as d`,
    ],
    ['columns of the same name', 'select 1 as a, 2 as b, 3 as a'],
    ['no columns', 'select'],
    ['no rows', 'select 1 as a where false'],
  ])('gives %s as the driver does, the first time and after', async (title, text) => {
    const statement = { name: `values-${title}`, text };
    const expected = await byDriver({ text });
    const first = await database.inTransaction((tx) => tx.query(statement));
    const again = await database.inTransaction((tx) => Promise.all([tx.query(statement), tx.query(text)]));
    const alone = await database.pool.query(statement);
    expect([first, ...again, alone.rows]).toEqual([expected, expected, expected, expected]);
  });

  it('takes values as the driver does', async () => {
    const text = `select $1::text as a, $2::int8 as b, $3::int8[] as c, $4::text[] as d, $5::jsonb as e, $6::boolean as f,
      $7::bytea as g, $8::timestamptz as h, $9::text as i`;
    const values = [
      'x',
      9n,
      [1n, null],
      ['"', 'NULL', null],
      { a: [1] },
      true,
      Buffer.from([0, 255]),
      '2026-01-01T00:00:00Z',
      null,
    ];
    const expected = await byDriver({ text, values });
    const statement = { name: 'takes', text };
    const asked = await database.inTransaction((tx) => Promise.all([tx.query(statement, values), tx.query(statement, values)]));
    expect([...asked, (await database.pool.query(text, values)).rows]).toEqual([expected, expected, expected]);
  });

  it('can be used by the driver, too, before and after', async () => {
    const ours = withValues({ ...raise, name: 'ours-first' }, ['a']);
    const theirs = { ...raise, name: 'theirs-first' };
    await Promise.all(Array.from({ length: 6 }, () => byDriver(withValues(theirs, ['b']))));
    await database.inTransaction((tx) => tx.query(theirs, ['b']));
    await database.pool.query(ours);
    await expect(byDriver(ours)).resolves.toEqual([{ value: 2 }]);
    await expect(byDriver(withValues(theirs, ['b']))).resolves.toEqual([{ value: 8 }]);
  });

  it('cannot be used for another text', async () => {
    await database.inTransaction((tx) => tx.query(raise, ['a']));
    const other = { ...raise, text: 'select 1' };
    await expect(database.inTransaction((tx) => tx.query(other))).rejects.toThrow(/must be unique - 'raise'/);
    await expect(database.inTransaction((tx) => tx.query(raise, ['a']))).resolves.toEqual([{ value: 2 }]);
  });

  it('can be used again when its first execution failed', async () => {
    const insert = { name: 'insert-thing', text: 'insert into things values ($1, 1)' };
    await expect(database.inTransaction((tx) => tx.query(insert, ['a']))).rejects.toMatchObject({ code: '23505' });
    await database.inTransaction((tx) => tx.query(insert, ['c']));
    await database.inTransaction((tx) => tx.query(insert, ['d']));
    expect(await database.pool.query('select id from things order by id')).toMatchObject({ rowCount: 4 });
  });

  it('can be used on all connections at once', async () => {
    const sum = Array.from({ length: 120 }, (_, index) =>
      index % 2 === 0
        ? database.inTransaction((tx) => tx.query(raise, ['a']))
        : database.pool.query(withValues(raise, ['b'])).then(({ rows }) => rows as unknown[]),
    );
    const values = (await Promise.all(sum)).flat() as { value: number }[];
    expect(values.map(({ value }) => value).sort((one, other) => one - other)).toEqual(
      Array.from({ length: 120 }, (_, index) => Math.floor(index / 2) + 1),
    );
  });
});

describe('a table that changes under prepared statements', () => {
  const all = { name: 'all-things', text: `select * from things where id = 'a'` };
  const change = (text: string) => database.pool.query(text);

  it('is read with its new columns, inside a transaction and outside', async () => {
    const returned = { name: 'raise-all', text: `update things set value = value + 1 where id = 'a' returning *` };
    const read = () => database.inTransaction(async (tx) => [await tx.query(all), await tx.query(returned)]);
    await read();
    await database.pool.query(all);
    await change('alter table things add column note text');
    expect(await read()).toEqual([[{ id: 'a', value: 1, note: null }], [{ id: 'a', value: 2, note: null }]]);
    await change('alter table things drop column note');
    expect((await database.pool.query(all)).rows).toEqual([{ id: 'a', value: 2 }]);
    expect(await read()).toEqual([[{ id: 'a', value: 2 }], [{ id: 'a', value: 3 }]]);
  });

  it('is read again after the server has dropped every statement', async () => {
    const forgetful = await server.open({ service: 'forgetful', migrations: [], poolMax: 1 });
    const one = { name: 'one', text: 'select 1 as one' };
    await forgetful.inTransaction((tx) => tx.query(one));
    await forgetful.pool.query('deallocate all');
    await expect(forgetful.inTransaction((tx) => tx.query(one))).resolves.toEqual([{ one: 1 }]);
    await forgetful.pool.query('deallocate all');
    await expect(forgetful.pool.query(one)).resolves.toMatchObject({ rows: [{ one: 1 }] });
  });

  it('is not silently repeated for another thing that is not supported', async () => {
    let attempts = 0;
    const failing = database.inTransaction(async (tx) => {
      attempts += 1;
      await tx.query(`do $$ begin raise exception 'no' using errcode = '0A000'; end $$`);
    });
    await expect(failing).rejects.toMatchObject({ code: '0A000' });
    expect(attempts).toBe(1);
  });
});
