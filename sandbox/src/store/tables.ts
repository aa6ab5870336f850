import { tableNames, type Records, type TableName } from './records.js';
import type { Change, StoreTransaction, OnNew, Urgency } from './store.js';

type Maps = { readonly [Name in TableName]: Map<string, Records[Name]> };

/** Writes changes to the journal before the tables change. */
export type Recorder = (changes: readonly Change[], urgency: Urgency) => void;

/** The records in memory and their transactions. */
export type Tables = {
  readonly find: <Name extends TableName>(table: Name, key: string) => Records[Name] | undefined;
  readonly all: <Name extends TableName>(table: Name) => IterableIterator<Records[Name]>;
  readonly entries: (table: TableName) => IterableIterator<[string, unknown]>;
  readonly count: (table: TableName) => number;
  readonly apply: (changes: readonly Change[]) => void;
  readonly begin: (record: Recorder) => StoreTransaction;
};

export function createTables(onNew: OnNew): Tables {
  const maps: Maps = {
    accounts: new Map(),
    claimableBalances: new Map(),
    escrows: new Map(),
    lifetimes: new Map(),
    transactions: new Map(),
    feeBumps: new Map(),
    ledger: new Map(),
    payins: new Map(),
    payouts: new Map(),
    webhooks: new Map(),
  };

  const find = <Name extends TableName>(table: Name, key: string): Records[Name] | undefined => maps[table].get(key);

  const applyOne = <Name extends TableName>(table: Name, key: string, value: Records[Name] | null): void => {
    const map = maps[table];
    if (value === null) {
      map.delete(key);
      return;
    }
    const isNew = !map.has(key);
    map.set(key, value);
    if (isNew) onNew(table, value);
  };

  const apply = (changes: readonly Change[]): void => {
    for (const [table, key, value] of changes) applyOne(table, key, value);
  };

  return {
    find,
    all: (table) => maps[table].values(),
    entries: (table) => maps[table].entries(),
    count: (table) => maps[table].size,
    apply,
    begin: (record) =>
      createTransaction(find, (changes, urgency) => {
        record(changes, urgency);
        apply(changes);
      }),
  };
}

/** A transaction has few changes, so a linear search is cheaper than a map. */
export function createTransaction(find: Tables['find'], commit: Recorder): StoreTransaction {
  const changes: Change[] = [];
  const indexOf = (table: TableName, key: string): number =>
    changes.findIndex((change) => change[0] === table && change[1] === key);
  const setChange = (change: Change): void => {
    const index = indexOf(change[0], change[1]);
    if (index === -1) changes.push(change);
    else changes[index] = change;
  };
  return {
    find: (table, key) => {
      const change = changes[indexOf(table, key)];
      // A change is stored under its own table, so its value is a record of that table.
      return change === undefined ? find(table, key) : ((change[2] ?? undefined) as ReturnType<typeof find<typeof table>>);
    },
    put: (table, key, value) => setChange([table, key, value] as unknown as Change),
    remove: (table, key) => setChange([table, key, null]),
    commit: (urgency = 'now') => commit(changes, urgency),
  };
}

export function isTableName(name: string): name is TableName {
  return tableNames.some((table) => table === name);
}
