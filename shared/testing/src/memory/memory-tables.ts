/** The tables of a service: rows by key. Rows are never changed in place. */
type Tables = Readonly<Record<string, Map<string, unknown>>>;

export type MemoryTx<T extends Tables> = {
  /** The rows as this transaction sees them. */
  readonly tables: T;
  /** Called in order once the transaction is committed. */
  readonly afterCommit: (act: () => void) => void;
};

export type MemoryTables<T extends Tables> = {
  /** The committed rows. */
  readonly committed: () => T;
  /** Transactions run one after the other, so that every row is locked. Nothing remains of one that throws. */
  readonly inTransaction: <Result>(work: (tx: MemoryTx<T>) => Result | Promise<Result>) => Promise<Result>;
};

export function memoryTables<T extends Tables>(empty: T): MemoryTables<T> {
  let committed = empty;
  let last: Promise<unknown> = Promise.resolve();
  const commit = async <Result>(work: (tx: MemoryTx<T>) => Result | Promise<Result>): Promise<Result> => {
    const tables = copyOf(committed);
    const acts: (() => void)[] = [];
    const result = await work({ tables, afterCommit: (act) => void acts.push(act) });
    committed = tables;
    for (const act of acts) act();
    return result;
  };
  return {
    committed: () => committed,
    inTransaction: (work) => {
      const done = last.then(() => commit(work));
      last = done.catch(() => undefined);
      return done;
    },
  };
}

function copyOf<T extends Tables>(tables: T): T {
  return Object.fromEntries(Object.entries(tables).map(([name, rows]) => [name, new Map(rows)])) as T;
}

/** Throws like Postgres if the key exists. */
export function insertNew<Row>(rows: Map<string, Row>, key: string, row: Row): void {
  if (rows.has(key)) throw Object.assign(new Error(`There is a row with the key ${key}.`), { code: '23505' });
  rows.set(key, row);
}
