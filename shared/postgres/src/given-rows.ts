import { pick, type Columns, type ColumnType, type Written } from './columns.js';

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
  { name = 'given', parametersBefore = 0 }: RowsOptions = {},
): UnnestedRows<Row, Property> {
  const written = pick(columns, properties);
  return {
    ...namedRows(written, name),
    from: `unnest(${parametersOf(written, parametersBefore)}) as ${name} (${columnNamesOf(written)})`,
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

export function castOf(type: ColumnType, value: string): string {
  return elementTypeOf(type) === type ? value : `${value}::${type}`;
}

function parametersOf<Row>(written: Written<Row>, before = 0): string {
  return written.map(([, { type }], index) => `$${before + index + 1}::${elementTypeOf(type)}[]`).join(', ');
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
