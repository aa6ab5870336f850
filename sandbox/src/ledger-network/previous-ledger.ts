import { ledgerHeadKey, type Records, type TableName } from '../store/records.js';
import type { Store } from '../store/store.js';

export type PreviousLedger = {
  /** A ledger must be closed through this function, so that the records that it replaces are kept. */
  readonly begin: Store['begin'];
  /** Finds a record as it was before the last ledger. After a restart that ledger is not known any more. */
  readonly find: Store['find'];
};

/** Keeps the records that the last ledger has replaced, in memory. Each of its transactions writes its head. */
export function keepPreviousLedger(store: Store): PreviousLedger {
  let replaced: ReadonlyMap<string, unknown> = new Map();
  return {
    begin: () =>
      store.begin((changes) => {
        const records = changes.map(([table, key]) => [`${table} ${key}`, store.find(table, key)] as const);
        const closed = store.find('ledger', ledgerHeadKey)?.sequence;
        const isSameLedger = changes.some(([table, , value]) => table === 'ledger' && value?.sequence === closed);
        replaced = new Map(isSameLedger ? [...records, ...replaced] : records);
      }),
    find: <Name extends TableName>(table: Name, key: string): Records[Name] | undefined => {
      const name = `${table} ${key}`;
      // eslint-disable-next-line holdfast/no-type-assertion -- a record is kept under its own table
      return replaced.has(name) ? (replaced.get(name) as Records[Name] | undefined) : store.find(table, key);
    },
  };
}
