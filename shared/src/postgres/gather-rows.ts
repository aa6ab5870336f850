import type { Statement, Tx } from './database.js';

/** A statement about any number of rows, made for their number; see `forRows`. */
export type RowsStatement = (count: number) => Statement;

/** What is written of one kind with one commit. */
type Sheet = { readonly values: unknown[]; readonly listeners: ((rows: readonly never[]) => void)[]; count: number };

/** `onRows` hears the answer to all rows of its kind. */
export type WriteRow = (tx: Tx, kind: RowsStatement, row: readonly unknown[], onRows?: (rows: readonly never[]) => void) => void;

/**
 * For writers that do not know of each other and share a commit. Whatever they write of one kind goes out as one statement,
 * after all else and with the commit, kind after kind in the order given here.
 */
export function gatherRows(kinds: readonly RowsStatement[]): WriteRow {
  const gathered = new WeakMap<Tx, ReadonlyMap<RowsStatement, Sheet>>();

  function sheetsOf(tx: Tx): ReadonlyMap<RowsStatement, Sheet> {
    const known = gathered.get(tx);
    if (known !== undefined) return known;
    const sheets = new Map(kinds.map((kind) => [kind, { values: [], listeners: [], count: 0 }]));
    gathered.set(tx, sheets);
    tx.beforeCommit(() => {
      sheets.forEach((sheet, kind) => write(tx, kind, sheet));
      return Promise.resolve();
    });
    return sheets;
  }

  return (tx, kind, row, onRows) => {
    const sheet = sheetsOf(tx).get(kind);
    if (sheet === undefined) throw new Error('Rows of this kind are not gathered here.');
    sheet.values.push(...row);
    sheet.count += 1;
    if (onRows !== undefined) sheet.listeners.push(onRows);
  };
}

function write(tx: Tx, kind: RowsStatement, { values, listeners, count }: Sheet): void {
  if (count === 0) return;
  tx.defer(kind(count), values, (rows) => {
    for (const listener of listeners) listener(rows);
  });
}
