import { serviceNames } from '@holdfast/contracts/services';
import { testDatabase, type TestDatabase } from '@holdfast/testing/postgres';
import { serverStartTimeoutMs } from '@holdfast/testing/servers';
import { runMigrate } from './run-migrate.js';

let database: TestDatabase;

beforeAll(async () => {
  database = await testDatabase();
}, serverStartTimeoutMs);
afterAll(() => database.drop());

async function migrate(...names: readonly string[]) {
  const lines: string[] = [];
  const print = (line: string): void => void lines.push(line);
  const { adminUrl: databaseUrl, internalSecret } = database;
  const code = await runMigrate({ databaseUrl, internalSecret }, names, { log: print, error: print });
  return { code, lines };
}

describe('npm run migrate', () => {
  it('creates the named schema, then the others, says what it applied, and has nothing to do the second time', async () => {
    const one = await migrate('gateway');
    expect(one.code).toBe(0);
    expect(one.lines[0]).toMatch(/^gateway +applied .*gateway\/0001-\S+\.sql/);
    expect(one.lines.at(-1)).toMatch(/^Applied \d+ migrations\.$/);

    const all = await migrate();
    expect(all.code).toBe(0);
    expect(all.lines.find((line) => line.startsWith('gateway'))).toMatch(/is up to date$/);
    for (const name of serviceNames)
      expect(all.lines.find((line) => line.startsWith(`${name} `))).toMatch(/ applied messaging\/0001-/);

    expect((await migrate()).lines.at(-1)).toBe('Nothing to do.');
  });

  it('refuses a name that no schema has', async () => {
    const { code, lines } = await migrate('order');
    expect([code, lines]).toEqual([1, [expect.stringMatching(/^There is no schema of "order"\..*orders/)]]);
  });
});
