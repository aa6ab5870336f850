import { testDatabase, type TestDatabase } from '../testing/postgres/index.js';
import { serverStartTimeoutMs } from '../testing/servers/index.js';
import { forRows, gatherRows, type Database, type RowsStatement } from './index.js';

let server: TestDatabase;
let database: Database;

beforeAll(async () => {
  server = await testDatabase();
  const migrations = server.migrations({
    '0001-seats.sql': 'create table seats (place text primary key, guest text not null unique);',
  });
  database = await server.open({ service: 'gather-rows', migrations: [migrations] });
}, serverStartTimeoutMs);
beforeEach(() => database.pool.query('delete from seats'));
afterAll(() => server.drop());

const leave = forRows((rows, count) => ({
  name: `leave-${count}`,
  text: `delete from seats using (values ${rows(['text'])}) as given (guest) where seats.guest = given.guest returning seats.guest`,
}));
const sit = forRows((rows, count) => ({
  name: `sit-${count}`,
  text: `insert into seats (place, guest) values ${rows(['text', 'text'])} returning guest`,
}));
const writeRow = gatherRows([leave, sit]);

const write = (kind: RowsStatement, ...row: readonly string[]): Promise<void> =>
  database.inTransaction((tx) => {
    writeRow(tx, kind, row);
    return Promise.resolve();
  });
const seated = async (): Promise<readonly string[]> =>
  (await database.pool.query<{ seat: string }>(`select place || ' ' || guest as seat from seats order by place`)).rows.map(
    ({ seat }) => seat,
  );

it('writes the rows of a kind with one statement, whoever they come from', async () => {
  const heard: (readonly unknown[])[] = [];
  await database.inTransaction((tx) => {
    writeRow(tx, sit, ['1', 'Ann'], (rows) => heard.push(rows));
    writeRow(tx, sit, ['2', 'Bob'], (rows) => heard.push(rows));
    return Promise.resolve();
  });
  expect(await seated()).toEqual(['1 Ann', '2 Bob']);
  const answer = [{ guest: 'Ann' }, { guest: 'Bob' }];
  expect(heard).toEqual([answer, answer]);
});

it('writes the kinds in their own order, not in that of the asking', async () => {
  await write(sit, '1', 'Ann');
  await database.inTransaction((tx) => {
    writeRow(tx, sit, ['2', 'Ann']);
    writeRow(tx, leave, ['Ann']);
    return Promise.resolve();
  });
  expect(await seated()).toEqual(['2 Ann']);
});

it('writes after whatever the transaction does otherwise', async () => {
  await database.inTransaction(async (tx) => {
    writeRow(tx, sit, ['1', 'Ann']);
    expect(await tx.query('select guest from seats')).toEqual([]);
    tx.defer(`insert into seats (place, guest) values ('2', 'Bob')`, []);
  });
  expect(await seated()).toEqual(['1 Ann', '2 Bob']);
});

it('writes nothing where one row is refused, and nothing of it in the next transaction', async () => {
  const attempt = database.inTransaction((tx) => {
    writeRow(tx, sit, ['1', 'Ann']);
    writeRow(tx, sit, ['1', 'Bob']);
    return Promise.resolve();
  });
  await expect(attempt).rejects.toMatchObject({ code: '23505' });
  await write(sit, '3', 'Cid');
  expect(await seated()).toEqual(['3 Cid']);
});

it('refuses a kind that is not its own', async () => {
  const other = forRows(() => ({ name: 'other', text: 'select 1' }));
  await expect(write(other)).rejects.toThrow('not gathered here');
});
