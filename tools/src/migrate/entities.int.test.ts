import type { TestDatabase } from '@holdfast/testing/postgres';
import { serverStartTimeoutMs } from '@holdfast/testing/servers';
import { serviceDatabase } from '@holdfast/testing/services';
import { services } from './schemas.js';

type Column = { readonly table: string; readonly name: string; readonly type: string; readonly isPrimary: boolean };

const columnsOfSchema = `
  select columns.table_name as "table", columns.column_name as name, columns.data_type as type, keys.column_name is not null as "isPrimary"
  from information_schema.columns
  left join (
    select usage.table_name, usage.column_name
    from information_schema.key_column_usage as usage
    join information_schema.table_constraints as constraints using (constraint_schema, constraint_name)
    where usage.table_schema = $1
      and constraints.constraint_type = 'PRIMARY KEY'
  ) as keys using (table_name, column_name)
  where columns.table_schema = $1`;

/** TypeORM is given `varchar` for timestamps, so that it leaves their microseconds alone. */
const serverTypes: Readonly<Record<string, string>> = { varchar: 'timestamp with time zone' };

let server: TestDatabase;
beforeAll(async () => {
  server = await serviceDatabase(...services);
}, serverStartTimeoutMs);
afterAll(() => server.drop());

describe('the entities of a service', () => {
  it.each(services.map(({ name, entities }) => ({ name, entities })))(
    '$name: have the columns, types and primary keys of its tables',
    async ({ name, entities }) => {
      const declared = entities.flatMap(({ options }) => columnsOf(options));
      const tables = new Set(declared.map(({ table }) => table));
      const stored = await server.asAdmin<Column>(columnsOfSchema, [name.replaceAll('-', '_')]);
      expect(tables.size).toBe(entities.length);
      expect(stored).toEqual(expect.arrayContaining(declared));
      const keys = stored.filter(({ table, isPrimary }) => isPrimary && tables.has(table));
      expect(declared).toEqual(expect.arrayContaining(keys));
    },
  );
});

type Options = (typeof services)[number]['entities'][number]['options'];

function columnsOf({ tableName = '', columns }: Options): readonly Column[] {
  return Object.values(columns).flatMap((column) => {
    if (column === undefined) return [];
    const { name = '', type, array, primary = false } = column;
    const serverType = array === true ? 'ARRAY' : (serverTypes[String(type)] ?? String(type));
    return [{ table: tableName, name, type: serverType, isPrimary: primary }];
  });
}
