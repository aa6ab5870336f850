import { testDatabase, type TestDatabase } from '@holdfast/shared/testing/postgres';
import fc from 'fast-check';
import { arrayOf } from './arrays.js';

let test: TestDatabase;

beforeAll(async () => {
  test = await testDatabase();
});

afterAll(async () => {
  await test.drop();
});

const readBack = `
  select unnest($1::integer[]) as position, unnest($2::text[]) as text, unnest($3::bigint[]) as units
  order by position`;

type Row = { readonly position: number; readonly text: string | null; readonly units: string | null };

describe('columns as arrays', () => {
  it('come back from Postgres as they were, whatever the texts are and wherever the nulls stand', async () => {
    const words = fc.constantFrom('null', 'NULL', 'Null', '', ' ', 'a b', '{}', '"', '\\', "'", ',', 'usr_1', '\n', 'é', '💶');
    const anyText = fc.string({ unit: 'binary' }).filter((text) => !text.includes('\u0000'));
    const row = fc.record({
      text: fc.option(fc.oneof(words, anyText)),
      units: fc.option(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n })),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(row, { minLength: 1, maxLength: 20 }), async (rows) => {
        const positioned = rows.map(({ text, units }, position) => ({ position, text, units: units?.toString() ?? null }));
        const columns = [
          arrayOf(positioned, ({ position }) => position),
          arrayOf(rows, ({ text }) => text),
          arrayOf(rows, ({ units }) => units),
        ];
        const found = await test.asAdmin<Row>(readBack, columns);
        expect(found.map(({ position, text, units }) => ({ position, text, units: units?.toString() ?? null }))).toEqual(
          positioned,
        );
      }),
      { numRuns: 50 },
    );
  });

  it('leave out the nulls at the end', () => {
    expect(arrayOf([null, 'a', null, 'b c', null, undefined], (value) => value)).toBe('{null,a,null,"b c"}');
    expect(arrayOf([null, null], (value) => value)).toBe('{}');
  });
});
