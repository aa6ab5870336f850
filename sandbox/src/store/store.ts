import type { Records, TableName } from './records.js';

export type Change = {
  [Name in TableName]: readonly [table: Name, key: string, value: Records[Name] | null];
}[TableName];

/** `later` is for changes that can be repeated: `durable` does not wait for them, and a crash soon after loses them. */
export type Urgency = 'now' | 'later';

/** An atomic set of changes. Reads see the transaction's own changes. */
export type StoreTransaction = {
  readonly find: <Name extends TableName>(table: Name, key: string) => Records[Name] | undefined;
  readonly put: <Name extends TableName>(table: Name, key: string, value: Records[Name]) => void;
  readonly remove: (table: TableName, key: string) => void;
  /** Makes the changes visible at once, and writes them to the journal. */
  readonly commit: (urgency?: Urgency) => void;
};

/** In-memory tables. With a data folder every commit is also written to the journal. */
export type Store = {
  readonly find: <Name extends TableName>(table: Name, key: string) => Records[Name] | undefined;
  readonly all: <Name extends TableName>(table: Name) => IterableIterator<Records[Name]>;
  readonly count: (table: TableName) => number;
  readonly begin: () => StoreTransaction;
  /** Resolves once all commits so far survive a crash. Every response and webhook waits for it. */
  readonly durable: () => Promise<void>;
  readonly close: () => Promise<void>;
};

/** Called for every new record, also during the replay at the start; it builds the indexes. */
export type OnNew = <Name extends TableName>(table: Name, value: Records[Name]) => void;
