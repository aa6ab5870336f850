import type { Records, TableName } from './records.js';

export type Change = {
  [Name in TableName]: readonly [table: Name, key: string, value: Records[Name] | null];
}[TableName];

/** What can be done again without harm may be written later: `durable` does not wait for it, and a kill soon after undoes it. */
export type Urgency = 'now' | 'later';

/** Several changes that happen together or not at all. Reads see what the draft itself has changed. */
export type StoreTransaction = {
  readonly find: <Name extends TableName>(table: Name, key: string) => Records[Name] | undefined;
  readonly put: <Name extends TableName>(table: Name, key: string, value: Records[Name]) => void;
  readonly remove: (table: TableName, key: string) => void;
  /** Seen by everybody at once; on the disk now, unless said otherwise. */
  readonly commit: (urgency?: Urgency) => void;
};

/** Everything the sandbox knows, in memory. With a data folder every commit is also on its way to the disk. */
export type Store = {
  readonly find: <Name extends TableName>(table: Name, key: string) => Records[Name] | undefined;
  readonly all: <Name extends TableName>(table: Name) => IterableIterator<Records[Name]>;
  readonly count: (table: TableName) => number;
  readonly begin: () => StoreTransaction;
  /** Whatever was seen or done before this resolves survives a kill after it. Nothing is answered earlier. */
  readonly durable: () => Promise<void>;
  readonly close: () => Promise<void>;
};

/** Told of every record that is new, also of those read at the start: indexes are built here. */
export type OnNew = <Name extends TableName>(table: Name, value: Records[Name]) => void;
