import { EntitySchema, type EntitySchemaColumnOptions } from 'typeorm';

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

/** Properties with their columns, in the order in which they are written. */
export type Written<Row> = readonly (readonly [keyof Row, Column])[];

function entriesOf<Row>(columns: Columns<Row>): readonly (readonly [string, Column])[] {
  return Object.entries<Column>(columns as Readonly<Record<string, Column>>);
}

export function pick<Row>(columns: Columns<Row>, properties?: readonly (keyof Row)[]): Written<Row> {
  const all = entriesOf(columns) as unknown as Written<Row>;
  return properties === undefined ? all : properties.map((property) => [property, columns[property] as Column] as const);
}
