import fc from 'fast-check';
import { testDatabase, type TestDatabase } from '../testing/postgres/index.js';
import { serverStartTimeoutMs } from '../testing/servers/index.js';
import { textArray, type Database } from './index.js';

let server: TestDatabase;
let database: Database;

beforeAll(async () => {
  server = await testDatabase();
  database = await server.open({ service: 'arrays', migrations: [], poolMax: 2 });
}, serverStartTimeoutMs);

afterAll(async () => {
  await server.drop();
});

type Row = { readonly given: readonly (string | null)[] };

const echo = { name: 'echo', text: 'select to_json($1::text[]) as given' };

/** As a transaction sends it, and as the driver does. */
async function echoes(values: readonly (string | null)[]): Promise<readonly unknown[]> {
  const [inTransaction] = await database.inTransaction((tx) => tx.query<Row>(echo, [textArray(values)]));
  const { rows } = await database.pool.query<Row>('select to_json($1::text[]) as given', [textArray(values)]);
  return [inTransaction?.given, rows[0]?.given];
}

describe('an array of texts', () => {
  it.each([
    ['of none', []],
    ['of nothing', [null]],
    ['of an empty text', ['']],
    ['with what an array literal would have to escape', ['a"b', 'c\\d', 'e,f', '{g}', 'NULL', null, ' ']],
    ['of letters of two, three and four bytes', ['äöü', '€', '💶'.repeat(100), `${'x'.repeat(63)}é`]],
    ['of many', Array.from({ length: 3_000 }, (_, index) => 'x'.repeat(index % 200))],
  ])('%s arrives as it was', async (_, values) => {
    expect(await echoes(values)).toEqual([values, values]);
  });

  it('arrives as it was, whatever is in it', async () => {
    const text = fc.string({ unit: 'grapheme', maxLength: 100 }).filter((value) => !value.includes('\0'));
    await fc.assert(
      fc.asyncProperty(fc.array(fc.option(text)), async (values) => {
        expect(await echoes(values)).toEqual([values, values]);
      }),
    );
  });

  it('is refused with a character that Postgres has not', async () => {
    await expect(database.pool.query(echo.text, [textArray(['a\0b'])])).rejects.toMatchObject({ code: '22021' });
  });

  it('is refused where the parameter has another type', async () => {
    await expect(database.pool.query('select $1::bigint[]', [textArray(['1'])])).rejects.toMatchObject({ code: '42804' });
  });
});
