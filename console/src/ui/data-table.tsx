import type { ReactNode } from 'react';
import { SkeletonLines } from './skeletons.js';

export type Column<Row> = {
  readonly header: string;
  readonly cell: (row: Row) => ReactNode;
  readonly isNumeric?: boolean;
  /** Left out where the screen is narrow. */
  readonly isMinor?: boolean;
};

type DataTableProps<Row> = {
  /** What the table lists, for readers of the screen. */
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  /** Undefined until they are there. */
  readonly rows: readonly Row[] | undefined;
  readonly keyOf: (row: Row) => string;
  /** Instead of a table without rows. */
  readonly empty: ReactNode;
  /** How many rows are expected. */
  readonly skeletonRows?: number;
};

export function DataTable<Row>({ label, columns, rows, keyOf, empty, skeletonRows = 6 }: DataTableProps<Row>) {
  if (rows === undefined) return <SkeletonLines count={skeletonRows} />;
  if (rows.length === 0) return empty;
  return (
    // A table that is wider than the screen is scrolled by keys, too.
    <div className="hf-table-frame" tabIndex={0} role="region" aria-label={label}>
      <table className="hf-table">
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column.header} scope="col" className={classOf(column)}>
                {column.header}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={keyOf(row)}>
              {columns.map((column) => (
                <td key={column.header} className={classOf(column)}>
                  {column.cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function classOf<Row>({ isNumeric = false, isMinor = false }: Column<Row>): string {
  return [isNumeric ? 'hf-numeric' : '', isMinor ? 'hf-minor' : ''].filter((name) => name !== '').join(' ');
}
