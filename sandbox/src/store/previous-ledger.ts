import { ledgerHeadKey, type LedgerHead, type Records, type TableName } from './records.js';
import type { Store, StoreTransaction } from './store.js';

export type PreviousLedger = {
  /** A ledger must be closed through this function, so that the records that it replaces are kept. */
  readonly begin: Store['begin'];
  /** Finds a record as it was before the last ledger. After a restart that ledger is not known any more. */
  readonly find: Store['find'];
};

/** Keeps the records that the last ledger has replaced, in memory. Each of its transactions writes its head. */
export function keepPreviousLedger(store: Store): PreviousLedger {
  let replaced: ReadonlyMap<string, unknown> = new Map();

  const replacedBy = (changed: readonly (readonly [TableName, string])[], head: LedgerHead): ReadonlyMap<string, unknown> => {
    const records = changed.map(([table, key]) => [`${table} ${key}`, store.find(table, key)] as const);
    const isSameLedger = store.find('ledger', ledgerHeadKey)?.sequence === head.sequence;
    return new Map(isSameLedger ? [...records, ...replaced] : records);
  };

  const begin = (): StoreTransaction => {
    const transaction = store.begin();
    const changed: (readonly [TableName, string])[] = [];
    let head: LedgerHead | undefined;
    return {
      ...transaction,
      put: (table, key, value) => {
        changed.push([table, key]);
        if (table === 'ledger' && key === ledgerHeadKey && 'closedAtMs' in value) head = value;
        transaction.put(table, key, value);
      },
      remove: (table, key) => {
        changed.push([table, key]);
        transaction.remove(table, key);
      },
      commit: (urgency) => {
        const before = head === undefined ? replaced : replacedBy(changed, head);
        transaction.commit(urgency);
        replaced = before;
      },
    };
  };

  return {
    begin,
    find: <Name extends TableName>(table: Name, key: string): Records[Name] | undefined => {
      const name = `${table} ${key}`;
      // A record is kept under its own table, so it is a record of that table.
      return replaced.has(name) ? (replaced.get(name) as Records[Name] | undefined) : store.find(table, key);
    },
  };
}
