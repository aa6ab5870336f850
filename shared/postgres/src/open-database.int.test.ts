import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { Client, Pool } from 'pg';
import { eventually } from '@holdfast/testing/eventually';
import { serverStartTimeoutMs } from '@holdfast/testing/servers';
import { testDatabase, type TestDatabase } from '@holdfast/testing/postgres';
import { silentLog } from '@holdfast/testing/log';
import { derivePassword } from './derive-password.js';
import { connectDatabase, openDatabase, tableOf, type Database } from './index.js';
import { appRoleOf, ownerRoleOf } from './provision-roles.js';

let server: TestDatabase;

beforeAll(async () => {
  server = await testDatabase();
}, serverStartTimeoutMs);

afterAll(async () => {
  await server.drop();
});

type NoteRow = { readonly id: string; readonly units: bigint; readonly at: string; readonly facts: unknown };

const { entity: noteRow } = tableOf<NoteRow>('notes')({
  id: { column: 'id', type: 'text', isPrimary: true },
  units: { column: 'units', type: 'bigint' },
  at: { column: 'at', type: 'timestamptz' },
  facts: { column: 'facts', type: 'jsonb' },
});
const notesMigration =
  'create table notes (id text primary key, units bigint not null, at timestamptz not null, facts jsonb not null);';

describe('a service role', () => {
  let mine: Database;
  let theirs: Database;

  beforeAll(async () => {
    const folder = server.migrations({ '0001-notes.sql': notesMigration });
    mine = await server.open({ service: 'role-mine', migrations: [folder] });
    theirs = await server.open({ service: 'role-theirs', migrations: [folder] });
  });

  it('finds the tables of its schema without naming the schema', async () => {
    await expect(mine.pool.query('select * from notes')).resolves.toMatchObject({ rows: [] });
    await expect(theirs.pool.query('select * from notes')).resolves.toMatchObject({ rows: [] });
  });

  it.each([
    ['read a table of another service', 'select * from role_theirs.notes'],
    ['write to a table of another service', `insert into role_theirs.notes values ('a', 1, now(), '{}')`],
    ['create a table in the schema of another service', 'create table role_theirs.intruder (id int)'],
    ['create a table in the schema public', 'create table public.intruder (id int)'],
    ['create its own table', 'create table another (id int)'],
    ['rewrite which migrations were applied', 'delete from migrations'],
    ['create a temporary table', 'create temporary table intruder (id int)'],
    ['create a schema', 'create schema intruder'],
    ['create a role', 'create role intruder'],
    ['create a database', 'create database intruder'],
    ['become another role', 'set role holdfast_role_theirs'],
    ['become the owner of its schema', 'set role holdfast_role_mine'],
  ])('cannot %s', async (_, sql) => {
    await expect(mine.pool.query(sql)).rejects.toThrow(/permission denied/);
  });

  it('says how its connections are used', async () => {
    const { usage } = mine.lists;
    expect(usage()).toMatchObject({ used: 0, waiting: 0, max: 2 });
    const busy = Array.from({ length: 3 }, () => mine.lists.query('select pg_sleep(2)'));
    await eventually(() => expect(usage()).toEqual({ used: 2, idle: 0, waiting: 1, max: 2 }));
    await Promise.all(busy);
    await eventually(() => expect(usage()).toMatchObject({ used: 0, waiting: 0 }));
  });

  it('cannot change or drop its tables', async () => {
    await expect(mine.pool.query('alter table notes add column more int')).rejects.toThrow(/must be owner/);
    await expect(mine.pool.query('drop table notes')).rejects.toThrow(/must be owner/);
    await expect(mine.pool.query('truncate notes')).rejects.toThrow(/permission denied/);
  });

  it('cannot log in to the other databases of the server', async () => {
    const url = new URL(server.adminUrl);
    url.pathname = '/postgres';
    url.username = appRoleOf('role-mine');
    url.password = derivePassword(server.internalSecret, appRoleOf('role-mine'));
    await expect(new Client({ connectionString: url.toString() }).connect()).rejects.toThrow(/permission denied for database/);
  });

  it('can connect to an existing schema without changing it', async () => {
    const beside = { adminUrl: server.adminUrl, service: 'role-mine', poolMax: 1, log: silentLog };
    const opened = await connectDatabase({ ...beside, internalSecret: server.internalSecret });
    await expect(opened.pool.query('select * from notes')).resolves.toMatchObject({ rows: [] });
    await opened.close();
    await expect(connectDatabase({ ...beside, internalSecret: 'wrong' })).rejects.toThrow(/password authentication failed/);
    await expect(mine.pool.query('select * from notes')).resolves.toBeDefined();
  });

  it('can be opened with the URL of the schema owner once roles and schema exist', async () => {
    const url = new URL(server.adminUrl);
    url.username = ownerRoleOf('role-mine');
    url.password = derivePassword(server.internalSecret, ownerRoleOf('role-mine'));
    const { internalSecret } = server;
    const opened = openDatabase({
      adminUrl: url.toString(),
      service: 'role-mine',
      internalSecret,
      migrations: [],
      log: silentLog,
    });
    // The schema has a migration that this call does not have, so the error shows that it has read the schema.
    await expect(opened).rejects.toThrow(/newer version/);
  });

  it('can be created by an administrator without superuser rights', async () => {
    await server.asAdmin(`create role modest_admin login createrole password 'modest'`);
    const database = new URL(server.adminUrl).pathname.slice(1);
    await server.asAdmin(`grant create on database ${database} to modest_admin`);
    const url = new URL(server.adminUrl);
    url.username = 'modest_admin';
    url.password = 'modest';
    const opened = await openDatabase({
      adminUrl: url.toString(),
      service: 'role-modest',
      internalSecret: 'modest-installation',
      migrations: [],
      poolMax: 1,
      log: silentLog,
    });
    await expect(opened.pool.query('select current_user as role')).resolves.toMatchObject({
      rows: [{ role: 'holdfast_role_modest_app' }],
    });
    await opened.close();
  });
});

describe('migrations', () => {
  it('run once when five replicas start at the same time', async () => {
    const folder = server.migrations({
      '0001-notes.sql': `${notesMigration} select pg_sleep(0.2);`,
      '0002-first-note.sql': `insert into notes values ('a', 1, now(), '{}');`,
    });
    const replicas = await Promise.all(
      Array.from({ length: 5 }, () => server.open({ service: 'replicas', migrations: [folder], poolMax: 2 })),
    );
    const result = await replicas[0]?.pool.query(
      'select count(*) as notes, (select count(*) from migrations) as applied from notes',
    );
    expect(result?.rows).toEqual([{ notes: 1n, applied: 2n }]);
  });

  it('of several folders are recorded under their groups', async () => {
    const first = server.migrations({ '0001-a.sql': 'create table a (id int);' });
    const second = server.migrations({ '0001-b.sql': 'create table b (id int references c);' });
    const third = server.migrations({ '0001-c.sql': 'create table c (id int primary key);' });
    const database = await server.open({ service: 'groups', migrations: [first, third, second] });
    const { rows } = await database.pool.query<{ name: string }>('select name from migrations order by id');
    expect(rows.map((row) => row.name.split('/')[1]?.split(' ')[0])).toEqual(['0001-a.sql', '0001-c.sql', '0001-b.sql']);
  });

  it('of a folder that is added before applied ones are applied alone', async () => {
    const own = server.migrations({ '0001-a.sql': 'create table a (id int);' });
    await server.open({ service: 'added', migrations: [own] });
    const added = server.migrations({ '0001-b.sql': 'create table b (id int);' });
    const next = server.migrations({ '0001-c.sql': 'create table c (id int);' });
    const database = await server.open({ service: 'added', migrations: [added, own, next] });
    const { rows } = await database.pool.query<{ name: string }>('select name from migrations order by id');
    expect(rows.map((row) => row.name.split('/')[1]?.split(' ')[0])).toEqual(['0001-a.sql', '0001-b.sql', '0001-c.sql']);
  });

  it('leave statistics of the tables that have rows, and none of empty ones', async () => {
    const folder = server.migrations({
      '0001-full.sql': 'create table filled (id int primary key); insert into filled values (1), (2);',
      '0002-empty.sql': 'create table empty (id int primary key);',
    });
    const { pool } = await server.open({ service: 'statistics', migrations: [folder] });
    const counted = `select relname as name, reltuples::int as rows from pg_class
      where oid in ('filled'::regclass, 'empty'::regclass) order by relname`;
    expect((await pool.query(counted)).rows).toEqual([
      { name: 'empty', rows: -1 },
      { name: 'filled', rows: 2 },
    ]);
    const { rows: plan } = await pool.query('explain select from empty where id = 1');
    expect(JSON.stringify(plan)).toContain('Index Only Scan');
  });

  it('are refused if they were edited after they had been applied', async () => {
    const folder = server.migrations({ '0001-notes.sql': notesMigration });
    await server.open({ service: 'edited', migrations: [folder] });
    writeFileSync(path.join(folder, '0001-notes.sql'), `${notesMigration} -- quietly changed`);
    await expect(server.open({ service: 'edited', migrations: [folder] })).rejects.toThrow(
      /another edition of the migration .*0001-notes\.sql, and do not fit.*Nothing was changed.*npm run reset/,
    );
  });

  it('that are unknown to this version are refused as data of a newer version', async () => {
    const folder = server.migrations({ '0001-notes.sql': notesMigration, '0002-more.sql': 'create table more (id int);' });
    await server.open({ service: 'newer', migrations: [folder] });
    const older = server.migrations({ '0001-notes.sql': notesMigration });
    await expect(server.open({ service: 'newer', migrations: [older] })).rejects.toThrow(/newer version/);
  });

  it('that fail are named in the error and rolled back', async () => {
    const folder = server.migrations({
      '0001-notes.sql': notesMigration,
      '0002-broken.sql': 'create table half (id int); select nonsense;',
    });
    await expect(server.open({ service: 'broken', migrations: [folder] })).rejects.toThrow(
      /0002-broken\.sql failed: column "nonsense" does not exist/,
    );
    writeFileSync(path.join(folder, '0002-broken.sql'), 'create table half (id int);');
    await expect(server.open({ service: 'broken', migrations: [folder] })).resolves.toBeDefined();
  });

  it('with an invalid file name are refused before any of them runs', async () => {
    const folder = server.migrations({ '1-notes.sql': notesMigration });
    await expect(server.open({ service: 'named', migrations: [folder] })).rejects.toThrow(
      /must be named like 0001-what-it-does\.sql/,
    );
  });
});

describe('values', () => {
  it('are returned as bigint, text with microseconds and parsed JSON, by pool and TypeORM', async () => {
    const folder = server.migrations({ '0001-notes.sql': notesMigration });
    const database = await server.open({ service: 'parsed-values', migrations: [folder], entities: [noteRow] });
    const note = { id: 'a', units: 9_007_199_254_740_993n, at: '2026-01-31T12:00:00.120456Z', facts: { deep: [1, 'two'] } };
    await database.inTransaction(async (tx) => {
      await tx.manager.insert(noteRow, note);
    });

    const { rows } = await database.pool.query('select *, array[units] as many, array[at] as moments from notes');
    const mapped = await database.pool.manager.getRepository(noteRow).findOneBy({ id: 'a', at: note.at });

    expect(rows).toEqual([{ ...note, many: [note.units], moments: [note.at] }]);
    expect(mapped).toEqual(note);
  });

  it('of other pools in the process use the parsers of the driver', async () => {
    const pool = new Pool({ connectionString: server.adminUrl, max: 1 });
    const { rows } = await pool.query('select 1::bigint as number');
    await pool.end();
    expect(rows).toEqual([{ number: '1' }]);
  });
});
