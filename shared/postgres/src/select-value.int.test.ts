import { testDatabase, type TestDatabase } from '@holdfast/testing/postgres';
import { serverStartTimeoutMs } from '@holdfast/testing/servers';
import type { ConnectionPool, Database, Sql } from './index.js';
import { selectValueWith } from './select-value.js';

let server: TestDatabase;
let database: Database;
let statements: Sql[];
let selectValue: ConnectionPool['selectValue'];

beforeAll(async () => {
  server = await testDatabase();
  database = await server.open({ service: 'values', migrations: [] });
}, serverStartTimeoutMs);
afterAll(() => server.drop());

beforeEach(() => {
  statements = [];
  selectValue = selectValueWith((sql) => {
    statements.push(sql);
    return database.pool.query(sql);
  });
});

const one = { name: 'one', text: 'select 1 as number' };
const none = { name: 'no-row', text: 'select 2 as number where false' };
const broken = { name: 'broken', text: 'select number from no_such_table' };

describe('selectValue', () => {
  it('reads the values of one turn with one statement', async () => {
    expect(await Promise.all([selectValue(one), selectValue(none), selectValue(one)])).toEqual([1, undefined, 1]);
    expect(statements).toHaveLength(1);
    expect(await selectValue(none)).toBeUndefined();
    expect(statements[1]).toMatchObject({ name: 'no-row' });
  });

  it('reads again after a failure, which all of its turn share', async () => {
    const failed = await Promise.allSettled([selectValue(one), selectValue(broken)]);
    expect(failed.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(await selectValue(one)).toBe(1);
  });
});
