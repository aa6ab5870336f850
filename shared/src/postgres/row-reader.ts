import type { Field } from './driver-connection.js';
import { parserOf } from './type-parsers.js';

/** Makes a row of the values the server sent, in the order of the columns. */
export type RowReader = (values: readonly (string | null)[]) => Readonly<Record<string, unknown>>;

/** Of a statement that gives none. */
export const rowless: RowReader = () => ({});

type Column = { readonly name: string; readonly parse: (text: string) => unknown };

export function rowReaderOf(fields: readonly Field[]): RowReader {
  const columns = fields.map(({ name, dataTypeID, format }): Column => ({ name, parse: parserOf(dataTypeID, format) }));
  return (values) => {
    const row: Record<string, unknown> = {};
    let index = 0;
    for (const { name, parse } of columns) {
      const value = values[index] ?? null;
      row[name] = value === null ? null : parse(value);
      index += 1;
    }
    return row;
  };
}
