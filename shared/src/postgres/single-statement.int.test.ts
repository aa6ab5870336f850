import { testDatabase, type TestDatabase } from '../testing/postgres/index.js';
import { serverStartTimeoutMs } from '../testing/servers/index.js';
import type { Database } from './index.js';

let server: TestDatabase;
let database: Database;

beforeAll(async () => {
  server = await testDatabase();
  const migrations = server.migrations({
    '0001-things.sql': `
      create table things (id text primary key);
      create table parts (thing text not null references things deferrable initially deferred);`,
  });
  database = await server.open({ service: 'single', migrations: [migrations], poolMax: 2 });
}, serverStartTimeoutMs);

afterAll(async () => {
  await server.drop();
});

beforeEach(async () => {
  await database.pool.query('truncate things cascade');
});

const insert = { name: 'insert', text: 'insert into things select * from unnest($1::text[])' };

describe('a statement outside of transactions', () => {
  it('answers with its command, how many rows it touched, and its rows', async () => {
    const { pool } = database;
    const inserted = await pool.query({ ...insert, values: [['a', 'b', 'c']] });
    const found = await pool.query<{ id: string }>('select id from things where id > $1 order by id', ['a']);
    const created = await pool.query({ name: 'create', text: 'create table created (id int)' });
    expect(inserted).toMatchObject({ command: 'INSERT', rowCount: 3, rows: [] });
    expect(found).toMatchObject({ command: 'SELECT', rowCount: 2, rows: [{ id: 'b' }, { id: 'c' }] });
    expect(created).toMatchObject({ command: 'CREATE', rowCount: null, rows: [] });
  });

  it('fails when what it did is refused at its end only', async () => {
    const orphan = { name: 'orphan', text: 'insert into parts values ($1)', values: ['nobody'] };
    await expect(database.pool.query(orphan)).rejects.toMatchObject({ code: '23503' });
    await expect(database.pool.query(orphan)).rejects.toMatchObject({ code: '23503' });
    expect(await database.pool.query('select * from parts')).toMatchObject({ rowCount: 0 });
  });

  it('that fails names who asked, and the pool goes on', async () => {
    const failing = Array.from({ length: 5 }, () => database.pool.query({ ...insert, values: [['a', 'a']] }));
    for (const { status, reason } of (await Promise.allSettled(failing)) as PromiseRejectedResult[]) {
      expect(status).toBe('rejected');
      expect(reason).toMatchObject({ code: '23505', table: 'things' });
    }
    const error: unknown = await database.pool.query('select $1::int', ['x']).catch((thrown: unknown) => thrown);
    expect((error as Error).stack).toContain('single-statement.int.test');
    expect(await database.pool.query({ ...insert, values: [['a']] })).toMatchObject({ rowCount: 1 });
  });

  it('whose values cannot be written fails alone', async () => {
    const unwritable: { self?: unknown } = {};
    unwritable.self = unwritable;
    await expect(database.pool.query('select $1::text', [unwritable])).rejects.toThrow(/circular/);
    await expect(database.pool.query('select $1::text as text', ['x'])).resolves.toMatchObject({ rows: [{ text: 'x' }] });
  });

  it('fails with its connection, and the next one gets another', async () => {
    const end = { name: 'end', text: 'select pg_terminate_backend(pg_backend_pid())' };
    await expect(database.pool.query(end)).rejects.toMatchObject({ code: '57P01' });
    await expect(database.pool.query({ ...insert, values: [['b']] })).resolves.toMatchObject({ rowCount: 1 });
  });

  it('stays with the driver when it asks for more than rows', async () => {
    const { rows } = await database.pool.query({ text: 'select $1::int8 as a', values: [1], rowMode: 'array' });
    const several = await database.pool.query('select 1 as a; select 2 as b');
    expect(rows).toEqual([[1n]]);
    expect(several).toMatchObject([{ rows: [{ a: 1 }] }, { rows: [{ b: 2 }] }]);
  });
});
