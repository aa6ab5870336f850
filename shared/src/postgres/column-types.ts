/**
 * What an EntitySchema calls our columns. An instant is `timestamptz` in the database and text in TypeScript; TypeORM must
 * not learn the former, or it would turn the text into a Date and lose the microseconds.
 */
export const columnTypes = {
  text: 'text',
  integer: 'integer',
  boolean: 'boolean',
  /** `bigint` on both sides. */
  units: 'bigint',
  instant: 'varchar',
  json: 'jsonb',
} as const;
