import { pick, type Columns, type ColumnType, type Written } from './columns.js';
import type { BoundStatement } from './database.js';

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
  const given = unnestRows(columns, properties);
  const text = `
  insert into ${table} (${given.columns}) ${overriding}
  select ${given.values}
  from ${given.from}
  ${suffix}`;
  return (rows) => ({ name, text, values: given.valuesOf(rows) });
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

/** One statement that updates each row, found by its key, with its own values. For few rows; Postgres caches its plan. */
export function updateMany<Row, Key extends keyof Row, Property extends keyof Row>(
  options: UpdateMany<Row, Key, Property>,
): ManyRows<Row, Key | Property> {
  const { name, columns, key, set } = options;
  const given = unnestRows(columns, [...key, ...set], { keepsPlan: true });
  const text = updateText(options, given.from);
  return (rows) => ({ name, text, values: given.valuesOf(rows) });
}

/** As `updateMany`, for one row. Postgres caches its plan. */
export function updateOne<Row, Key extends keyof Row, Property extends keyof Row>(
  options: UpdateMany<Row, Key, Property>,
): (row: Pick<Row, Key | Property>) => BoundStatement {
  const { name, columns, key, set } = options;
  const given = singleRow(columns, [...key, ...set]);
  const text = updateText(options, given.from);
  return (row) => ({ name, text, values: given.valuesOf(row) });
}

/** The rows are named `given`, with the column names of the table. */
function updateText<Row, Key extends keyof Row, Property extends keyof Row>(
  { table, columns, key, set, also, where, suffix = '' }: UpdateMany<Row, Key, Property>,
  from: string,
): string {
  const assignments = pick(columns, set).map(([, { column, type }]) => `${column} = ${castOf(type, `given.${column}`)}`);
  const conditions = pick(columns, key).map(([, { column }]) => `${table}.${column} = given.${column}`);
  return `
  update ${table}
  set ${[...assignments, ...(also === undefined ? [] : [also])].join(',\n    ')}
  from ${from}
  where ${[...conditions, ...(where === undefined ? [] : [where])].join('\n    and ')}
  ${suffix}`;
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
 * One statement that inserts rows, or updates those that exist. It suits large tables better than `updateMany`. The cached plan of an update
 * may be from the time when the table was small; the plan of an insert depends on no table.
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
 * statement with rows of two tables, give the second one another name and the number of parameters before its own. With `keepsPlan` Postgres
 * plans for ten rows, as with `arrayOfAnyLength`.
 */
export function unnestRows<Row, Property extends keyof Row = keyof Row>(
  columns: Columns<Row>,
  properties?: readonly Property[],
  { name = 'given', parametersBefore = 0, keepsPlan = false }: RowsOptions & { readonly keepsPlan?: boolean } = {},
): UnnestedRows<Row, Property> {
  const written = pick(columns, properties);
  const [first = '', ...others] = parametersOf(written, parametersBefore);
  // Of several arrays Postgres takes the longest.
  const arrays = [keepsPlan ? arrayOfAnyLength(first) : first, ...others].join(', ');
  return {
    ...namedRows(written, name),
    from: `unnest(${arrays}) as ${name} (${columnNamesOf(written)})`,
    valuesOf: (rows) => arraysOf(written, rows as readonly Partial<Row>[]),
    lastParameter: parametersBefore + written.length,
  };
}

export type SingleRow<Row, Property extends keyof Row> = Omit<UnnestedRows<Row, Property>, 'valuesOf'> & {
  /** The values of the parameters; all are null without a row. */
  readonly valuesOf: (row: Pick<Row, Property> | undefined) => readonly unknown[];
};

/** As `unnestRows`, for at most one row. Postgres caches the plan of a statement that joins it, and plans one that joins `unnest` each time. */
export function singleRow<Row, Property extends keyof Row = keyof Row>(
  columns: Columns<Row>,
  properties?: readonly Property[],
  { name = 'given', parametersBefore = 0 }: RowsOptions = {},
): SingleRow<Row, Property> {
  const written = pick(columns, properties);
  const parameters = written.map(([, { type }], index) => `$${parametersBefore + index + 1}::${elementTypeOf(type)}`).join(', ');
  return {
    ...namedRows(written, name),
    from: `(values (${parameters})) as ${name} (${columnNamesOf(written)})`,
    valuesOf: (row) => written.map(([property, { type }]) => toElement(type, (row as Partial<Row> | undefined)?.[property])),
    lastParameter: parametersBefore + written.length,
  };
}

/**
 * An array parameter such as `$1::text[]`, for a frequent statement that finds few rows by it. Postgres knows the length of a given array
 * when it plans, and assumes ten elements otherwise, so that the plan for the values looks cheaper each time. It does not look into the
 * subquery, so both plans cost the same, and it keeps one. Not for tables that grow by thousands of rows in a minute: see decision 125.
 */
export function arrayOfAnyLength(parameter: string): string {
  return `array(select unnest(${parameter}))`;
}

type RowsOptions = { readonly name?: string; readonly parametersBefore?: number };

function namedRows<Row>(written: Written<Row>, name: string): { readonly columns: string; readonly values: string } {
  return {
    columns: columnNamesOf(written),
    values: written.map(([, { column, type }]) => castOf(type, `${name}.${column}`)).join(', '),
  };
}

function columnNamesOf<Row>(written: Written<Row>): string {
  return written.map(([, { column }]) => column).join(', ');
}

/** `unnest` would flatten nested arrays, and the driver cannot send arrays of objects, so both are sent as text. */
function elementTypeOf(type: ColumnType): string {
  return type === 'json' || type === 'jsonb' || type === 'text[]' ? 'text' : type;
}

function castOf(type: ColumnType, value: string): string {
  return elementTypeOf(type) === type ? value : `${value}::${type}`;
}

function parametersOf<Row>(written: Written<Row>, before: number): readonly string[] {
  return written.map(([, { type }], index) => `$${before + index + 1}::${elementTypeOf(type)}[]`);
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
