import type { EntitySchemaColumnOptions } from 'typeorm';
import type { BoundStatement } from './database.js';

/** Types of columns, as a statement writes them after `::`. */
export type ColumnType =
  'text' | 'integer' | 'bigint' | 'boolean' | 'timestamptz' | 'json' | 'jsonb' | 'bytea' | 'uuid' | 'text[]';

/** `buyerId` is buyer_id. */
type SnakeCase<Name extends string> = Name extends `${infer First}${infer Rest}`
  ? First extends Uppercase<First>
    ? First extends Lowercase<First>
      ? `${First}${SnakeCase<Rest>}`
      : `_${Lowercase<First>}${SnakeCase<Rest>}`
    : `${First}${SnakeCase<Rest>}`
  : Name;

/** A column is named like its property, or like it and more (`previous` may be previous_hash), so that two cannot be swapped. */
type ColumnName<Property> = Property extends string ? SnakeCase<Property> | `${SnakeCase<Property>}_${string}` : never;

export type Column<Name extends string = string> = {
  readonly column: Name;
  readonly type: ColumnType;
  readonly isPrimary?: true;
};

/** The one place that knows the columns of a table: property of the row ↔ column, for select, insert, update and the mapper. */
export type Columns<Row> = { readonly [Property in keyof Row]-?: Column<ColumnName<Property>> };

/** Checks that every property of the row has a column, and that no column is named like another property. */
export function columnsOf<Row>() {
  return <const C extends Columns<Row>>(columns: C & Record<Exclude<keyof C, keyof Row>, never>): Columns<Row> => columns;
}

/** `orders.buyer_id as "buyerId", …`; a prefix keeps the columns of two tables apart. */
export function selectList<Row>(columns: Columns<Row>, table: string, prefix = ''): string {
  return entriesOf(columns)
    .map(([property, { column }]) => `${table}.${column} as "${prefix}${property}"`)
    .join(',\n    ');
}

type ManyRows<Row, Property extends keyof Row> = (rows: readonly Pick<Row, Property>[]) => BoundStatement;

export type InsertMany<Row, Property extends keyof Row> = {
  /** Of the prepared statement; unique within a service. */
  readonly name: string;
  readonly table: string;
  readonly columns: Columns<Row>;
  /** All columns unless told otherwise; the others take their defaults. */
  readonly properties?: readonly Property[];
  /** What follows the rows: `on conflict …`, `returning …`. */
  readonly suffix?: string;
  /** For rows that bring the value of an identity column. */
  readonly overriding?: 'overriding system value';
};

/** One statement for any number of rows: an array per column, unnested side by side. */
export function insertMany<Row, Property extends keyof Row = keyof Row>(
  options: InsertMany<Row, Property>,
): ManyRows<Row, Property> {
  const { name, table, columns, properties, suffix = '', overriding = '' } = options;
  const written = pick(columns, properties);
  const text = `
  insert into ${table} (${written.map(([, { column }]) => column).join(', ')}) ${overriding}
  select ${written.map(([, { type }], index) => castOf(type, `given.c${index + 1}`)).join(', ')}
  from unnest(${parametersOf(written)}) as given (${namesOf(written)})
  ${suffix}`;
  return (rows) => ({ name, text, values: arraysOf(written, rows as readonly Partial<Row>[]) });
}

export type UpdateMany<Row, Key extends keyof Row, Property extends keyof Row> = {
  readonly name: string;
  readonly table: string;
  readonly columns: Columns<Row>;
  readonly key: readonly Key[];
  readonly set: readonly Property[];
  /** Assignments that are the same for every row. */
  readonly also?: string;
  /** Beyond the key; names columns of the table. */
  readonly where?: string;
  readonly suffix?: string;
};

/** One statement that gives each row, found by its key, values of its own. */
export function updateMany<Row, Key extends keyof Row, Property extends keyof Row>(
  options: UpdateMany<Row, Key, Property>,
): ManyRows<Row, Key | Property> {
  const { name, table, columns, key, set, also, where, suffix = '' } = options;
  const written = pick(columns, [...key, ...set]);
  const place = (property: keyof Row): number => written.findIndex(([name]) => name === property) + 1;
  const assignments = pick(columns, set).map(
    ([property, { column, type }]) => `${column} = ${castOf(type, `given.c${place(property)}`)}`,
  );
  const conditions = pick(columns, key).map(([property, { column }]) => `${table}.${column} = given.c${place(property)}`);
  const text = `
  update ${table}
  set ${[...assignments, ...(also === undefined ? [] : [also])].join(',\n    ')}
  from unnest(${parametersOf(written)}) as given (${namesOf(written)})
  where ${[...conditions, ...(where === undefined ? [] : [where])].join('\n    and ')}
  ${suffix}`;
  return (rows) => ({ name, text, values: arraysOf(written, rows as readonly Partial<Row>[]) });
}

export type UpsertMany<Row, Key extends keyof Row, Property extends keyof Row> = Pick<
  InsertMany<Row, keyof Row>,
  'name' | 'table' | 'columns'
> & {
  /** Columns of a unique index. */
  readonly key: readonly Key[];
  /** What changes where the row exists. */
  readonly set: readonly Property[];
};

/**
 * One statement that inserts rows, or changes those that exist. For rows that are known to exist it does what `updateMany` does, and is
 * cheaper for few of them: an update joins the table with what is given, and Postgres plans that anew for each number of rows, while it keeps
 * the plan of an insert.
 */
export function upsertMany<Row, Key extends keyof Row, Property extends keyof Row>(
  options: UpsertMany<Row, Key, Property>,
): ManyRows<Row, keyof Row> {
  const { name, table, columns, key, set } = options;
  const keyColumns = pick(columns, key).map(([, { column }]) => column);
  const assignments = pick(columns, set).map(([, { column }]) => `${column} = excluded.${column}`);
  const suffix = `on conflict (${keyColumns.join(', ')}) do update
  set ${assignments.join(',\n    ')}`;
  return insertMany({ name, table, columns, suffix, overriding: 'overriding system value' });
}

export type UnnestedRows<Row, Property extends keyof Row> = {
  /** `owner, …` */
  readonly columns: string;
  /** `unnest($1::text[], …) as given (owner, …)` */
  readonly from: string;
  /** An array for each parameter. */
  readonly valuesOf: (rows: readonly Pick<Row, Property>[]) => readonly unknown[];
  /** After it the parameters of further rows begin. */
  readonly lastParameter: number;
};

/**
 * Rows as the table `given` of a hand-written statement, its columns named as in their own table. JSON and arrays are texts there. Where a
 * statement is given rows of two tables, the second one has a name of its own, and its parameters come after those of the first.
 */
export function unnestRows<Row, Property extends keyof Row = keyof Row>(
  columns: Columns<Row>,
  properties?: readonly Property[],
  { name = 'given', parametersBefore = 0 }: { readonly name?: string; readonly parametersBefore?: number } = {},
): UnnestedRows<Row, Property> {
  const written = pick(columns, properties);
  const names = written.map(([, { column }]) => column).join(', ');
  return {
    columns: names,
    from: `unnest(${parametersOf(written, parametersBefore)}) as ${name} (${names})`,
    valuesOf: (rows) => arraysOf(written, rows as readonly Partial<Row>[]),
    lastParameter: parametersBefore + written.length,
  };
}

/** What an `EntitySchema` is told of the columns. */
export function toEntityColumns<Row>(columns: Columns<Row>): { [Property in keyof Row]: EntitySchemaColumnOptions } {
  const described = entriesOf(columns).map(([property, { column, type, isPrimary }]) => {
    const isArray = type === 'text[]';
    const mapped = { name: column, type: entityTypes[type], primary: isPrimary ?? false, nullable: true, array: isArray };
    return [property, mapped] as const;
  });
  return Object.fromEntries(described) as { [Property in keyof Row]: EntitySchemaColumnOptions };
}

/**
 * An instant is `timestamptz` in the database and text with microseconds in TypeScript; TypeORM must not learn the former, or it would
 * turn the text into a Date.
 */
const entityTypes = {
  text: 'text',
  integer: 'integer',
  bigint: 'bigint',
  boolean: 'boolean',
  timestamptz: 'varchar',
  json: 'json',
  jsonb: 'jsonb',
  bytea: 'bytea',
  uuid: 'uuid',
  'text[]': 'text',
} as const satisfies Record<ColumnType, EntitySchemaColumnOptions['type']>;

type Written<Row> = readonly (readonly [keyof Row, Column])[];

function entriesOf<Row>(columns: Columns<Row>): readonly (readonly [string, Column])[] {
  return Object.entries<Column>(columns as Readonly<Record<string, Column>>);
}

function pick<Row>(columns: Columns<Row>, properties?: readonly (keyof Row)[]): Written<Row> {
  const all = entriesOf(columns) as unknown as Written<Row>;
  return properties === undefined ? all : properties.map((property) => [property, columns[property] as Column] as const);
}

/** Arrays cannot be unnested into arrays, nor objects written without being JSON text: both travel as text. */
function elementTypeOf(type: ColumnType): string {
  return type === 'json' || type === 'jsonb' || type === 'text[]' ? 'text' : type;
}

function castOf(type: ColumnType, value: string): string {
  return elementTypeOf(type) === type ? value : `${value}::${type}`;
}

function parametersOf<Row>(written: Written<Row>, before = 0): string {
  return written.map(([, { type }], index) => `$${before + index + 1}::${elementTypeOf(type)}[]`).join(', ');
}

function namesOf<Row>(written: Written<Row>): string {
  return written.map((_, index) => `c${index + 1}`).join(', ');
}

function arraysOf<Row>(written: Written<Row>, rows: readonly Partial<Row>[]): readonly unknown[] {
  return written.map(([property, { type }]) => rows.map((row) => toElement(type, row[property])));
}

function toElement(type: ColumnType, value: unknown): unknown {
  if (value === null || value === undefined) return null;
  if (type === 'json' || type === 'jsonb') return JSON.stringify(value);
  if (type === 'text[]') return toArrayLiteral(value as readonly string[]);
  return value;
}

/** `{"one","two"}`, as Postgres writes an array of texts. */
function toArrayLiteral(values: readonly string[]): string {
  return `{${values.map((value) => `"${value.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`).join(',')}}`;
}
