import { EntitySchema, type EntitySchemaColumnOptions } from 'typeorm';
import type { BoundStatement } from './database.js';

/** Column types, as written in a cast. */
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

/** A column name is the property's name, optionally with a suffix (`previous` may be previous_hash), so that columns cannot be swapped. */
type ColumnName<Property> = Property extends string ? SnakeCase<Property> | `${SnakeCase<Property>}_${string}` : never;

export type Column<Name extends string = string> = {
  readonly column: Name;
  readonly type: ColumnType;
  readonly isPrimary?: true;
};

/** Maps the properties of a row to the columns of its table, for select, insert, update and TypeORM. */
export type Columns<Row> = { readonly [Property in keyof Row]-?: Column<ColumnName<Property>> };

/** Has the compiler check that every property of the row has a column, and that no column is named like another property. */
export function columnsOf<Row>() {
  return <const C extends Columns<Row>>(columns: C & Record<Exclude<keyof C, keyof Row>, never>): Columns<Row> => columns;
}

/** The one mapping of a table: `entity` for TypeORM; `table`, `columns` and `selected` for own statements. */
export type Table<Row> = {
  readonly table: string;
  readonly columns: Columns<Row>;
  /** All columns, as a select list. */
  readonly selected: string;
  readonly entity: EntitySchema<Row>;
};

/** Declares a table. The compiler checks the columns as in `columnsOf`. */
export function tableOf<Row>(table: string) {
  return <const C extends Columns<Row>>(columns: C & Record<Exclude<keyof C, keyof Row>, never>): Table<Row> => ({
    table,
    columns,
    selected: selectList<Row>(columns, table),
    entity: new EntitySchema<Row>({ name: table, tableName: table, columns: toEntityColumns<Row>(columns) }),
  });
}

/** Every property of the row but these, so that an update writes every new column, too. */
export function propertiesBut<Row, Left extends keyof Row>(
  columns: Columns<Row>,
  left: readonly Left[],
): readonly Exclude<keyof Row, Left>[] {
  const isLeft = new Set<string | number | symbol>(left);
  return entriesOf(columns)
    .map(([property]) => property as Exclude<keyof Row, Left>)
    .filter((property) => !isLeft.has(property));
}

/** `orders.buyer_id as "buyerId", …`. A prefix distinguishes the columns of two joined tables. */
export function selectList<Row>(columns: Columns<Row>, table: string, prefix = ''): string {
  return entriesOf(columns)
    .map(([property, { column }]) => `${table}.${column} as "${prefix}${property}"`)
    .join(',\n    ');
}

type ManyRows<Row, Property extends keyof Row> = (rows: readonly Pick<Row, Property>[]) => BoundStatement;

export type InsertMany<Row, Property extends keyof Row> = {
  /** Name of the prepared statement; unique within a service. */
  readonly name: string;
  readonly table: string;
  readonly columns: Columns<Row>;
  /** Default: all columns. Columns that are left out get their default values. */
  readonly properties?: readonly Property[];
  /** SQL after the rows, such as `on conflict …` or `returning …`. */
  readonly suffix?: string;
  /** Needed for rows that give the value of an identity column. */
  readonly overriding?: 'overriding system value';
};

/** One statement for any number of rows, with one array parameter per column. */
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
  /** Additional assignments, the same for every row. */
  readonly also?: string;
  /** An additional condition on columns of the table. */
  readonly where?: string;
  readonly suffix?: string;
};

/** One statement that updates each row, found by its key, with its own values. */
export function updateMany<Row, Key extends keyof Row, Property extends keyof Row>(
  options: UpdateMany<Row, Key, Property>,
): ManyRows<Row, Key | Property> {
  const { name, table, columns, key, set, also, where, suffix = '' } = options;
  const written = pick(columns, [...key, ...set]);
  const position = (property: keyof Row): number => written.findIndex(([name]) => name === property) + 1;
  const assignments = pick(columns, set).map(
    ([property, { column, type }]) => `${column} = ${castOf(type, `given.c${position(property)}`)}`,
  );
  const conditions = pick(columns, key).map(([property, { column }]) => `${table}.${column} = given.c${position(property)}`);
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
  /** The properties that are updated if the row exists. */
  readonly set: readonly Property[];
  /** The condition on an existing row; a row that does not match stays as it is. */
  readonly where?: string;
};

/**
 * One statement that inserts rows, or updates those that exist. For few existing rows it is cheaper than `updateMany`: Postgres caches
 * the plan of an insert, but plans an update that joins `unnest` on each execution.
 */
export function upsertMany<Row, Key extends keyof Row, Property extends keyof Row>(
  options: UpsertMany<Row, Key, Property>,
): ManyRows<Row, keyof Row> {
  const { name, table, columns, key, set, where } = options;
  const keyColumns = pick(columns, key).map(([, { column }]) => column);
  const suffix = `on conflict (${keyColumns.join(', ')}) do update
  set ${excludedList(columns, set)}
  ${where === undefined ? '' : `where ${where}`}`;
  return insertMany({ name, table, columns, suffix, overriding: 'overriding system value' });
}

/** `type = excluded.type, …`: the new values in `on conflict … do update set`. */
export function excludedList<Row>(columns: Columns<Row>, properties: readonly (keyof Row)[]): string {
  return pick(columns, properties)
    .map(([, { column }]) => `${column} = excluded.${column}`)
    .join(',\n    ');
}

export type UnnestedRows<Row, Property extends keyof Row> = {
  /** `owner, …` */
  readonly columns: string;
  /** `given.owner, …` with the casts that JSON and arrays need. */
  readonly values: string;
  /** `unnest($1::text[], …) as given (owner, …)` */
  readonly from: string;
  /** The values of the parameters, an array each. */
  readonly valuesOf: (rows: readonly Pick<Row, Property>[]) => readonly unknown[];
  /** The number of the last parameter; the parameters of further rows follow it. */
  readonly lastParameter: number;
};

/**
 * Rows as the table `given` of a hand-written statement, with the column names of their own table. JSON and arrays are text there. For a
 * statement with rows of two tables, give the second one another name and the number of parameters before its own.
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
    values: written.map(([, { column, type }]) => castOf(type, `${name}.${column}`)).join(', '),
    from: `unnest(${parametersOf(written, parametersBefore)}) as ${name} (${names})`,
    valuesOf: (rows) => arraysOf(written, rows as readonly Partial<Row>[]),
    lastParameter: parametersBefore + written.length,
  };
}

function toEntityColumns<Row>(columns: Columns<Row>): { [Property in keyof Row]: EntitySchemaColumnOptions } {
  const entries = entriesOf(columns).map(([property, { column, type, isPrimary }]) => {
    const isArray = type === 'text[]';
    const mapped = { name: column, type: entityTypes[type], primary: isPrimary ?? false, nullable: true, array: isArray };
    return [property, mapped] as const;
  });
  return Object.fromEntries(entries) as { [Property in keyof Row]: EntitySchemaColumnOptions };
}

/**
 * Timestamps are declared to TypeORM as `varchar`, because it would convert `timestamptz` values to a Date, which has no
 * microseconds.
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

/** `unnest` would flatten nested arrays, and the driver cannot send arrays of objects, so both are sent as text. */
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

/** A Postgres array literal, such as `{"one","two"}`. */
function toArrayLiteral(values: readonly string[]): string {
  return `{${values.map((value) => `"${value.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`).join(',')}}`;
}
