import { openChangeLog } from './change-log.js';
import { tableNames, type Records, type TableName } from './records.js';

type Change = { [Name in TableName]: readonly [table: Name, key: string, value: Records[Name] | null] }[TableName];
type Find = <Name extends TableName>(table: Name, key: string) => Records[Name] | undefined;
type Commit = (changes: readonly Change[]) => void;

/** An atomic set of changes. Reads see the transaction's own changes. */
export type StoreTransaction = {
  readonly find: Find;
  readonly put: <Name extends TableName>(table: Name, key: string, value: Records[Name]) => void;
  readonly remove: (table: TableName, key: string) => void;
  /** Makes the changes visible at once, and durable soon. */
  readonly commit: () => void;
  /**
   * Makes the changes visible at once, and durable with the next other commit or after a second. For changes that are made again after a
   * crash: nothing waits for them.
   */
  readonly commitLater: () => void;
};

/** Tables in memory. With a folder every commit is also a line of a file, and the next start replays them. */
export type Store = {
  readonly find: Find;
  readonly all: <Name extends TableName>(table: Name) => IterableIterator<Records[Name]>;
  /** `onCommit` is called before the changes are visible. */
  readonly begin: (onCommit?: Commit) => StoreTransaction;
  /** Resolves once all commits so far survive a crash, except those that may be later. Every response and webhook waits for it. */
  readonly durable: () => Promise<void>;
  readonly close: () => Promise<void>;
};

export type StoreOptions = {
  /** Called for every new record, also at the start; it builds the indexes. */
  readonly onNew: <Name extends TableName>(table: Name, value: Records[Name]) => void;
  readonly folder?: string | undefined;
  /** The file is replaced by a snapshot once it has more changes than this that later ones have replaced, and more than records. */
  readonly replacedMax?: number;
  /** How long changes that may be durable later wait for another commit; a second by default. */
  readonly laterMs?: number;
};

const replacedMaxDefault = 100_000;

export async function openStore({ onNew, folder, replacedMax = replacedMaxDefault, laterMs }: StoreOptions): Promise<Store> {
  const tables = Object.fromEntries(tableNames.map((name) => [name, new Map()])) as {
    readonly [Name in TableName]: Map<string, Records[Name]>;
  };
  let changesInFile = 0;

  const applyOne = <Name extends TableName>(table: Name, key: string, value: Records[Name] | null): void => {
    const isNew = !tables[table].has(key);
    if (value === null) tables[table].delete(key);
    else tables[table].set(key, value);
    if (value !== null && isNew) onNew(table, value);
  };
  const apply = (changes: readonly Change[]): void => {
    for (const [table, key, value] of changes) applyOne(table, key, value);
    changesInFile += changes.length;
  };
  const log =
    folder === undefined
      ? undefined
      : await openChangeLog({
          folder,
          laterMs,
          replay: (line) => apply(decodeChanges(line)),
          isTooLong: () => {
            const records = tableNames.reduce((sum, name) => sum + tables[name].size, 0);
            return changesInFile - records > Math.max(replacedMax, records);
          },
          snapshot: function* () {
            changesInFile = 0;
            for (const name of tableNames)
              for (const [key, value] of tables[name]) {
                changesInFile += 1;
                yield encode([[name, key, value]]);
              }
          },
        });
  const find: Find = (table, key) => tables[table].get(key);
  return {
    find,
    all: (table) => tables[table].values(),
    begin: (onCommit) => {
      const commitWith =
        (append: ((line: string) => void) | undefined): Commit =>
        (changes) => {
          onCommit?.(changes);
          append?.(encode(changes));
          apply(changes);
        };
      return createTransaction(find, commitWith(log?.append), commitWith(log?.appendLater));
    },
    durable: () => log?.durable() ?? Promise.resolve(),
    close: () => log?.close() ?? Promise.resolve(),
  };
}

/** A transaction has few changes, so a linear search is cheaper than a map. */
export function createTransaction(find: Find, commit: Commit, commitLater: Commit): StoreTransaction {
  const changes: Change[] = [];
  const indexOf = (table: TableName, key: string): number => changes.findIndex(([name, id]) => name === table && id === key);
  const set = (table: TableName, key: string, value: unknown): void => {
    const index = indexOf(table, key);
    changes[index === -1 ? changes.length : index] = [table, key, value] as Change;
  };
  return {
    find: (table, key) => {
      const change = changes[indexOf(table, key)];
      // A change is stored under its own table, so its value is a record of that table.
      return change === undefined ? find(table, key) : ((change[2] ?? undefined) as ReturnType<typeof find<typeof table>>);
    },
    put: set,
    remove: (table, key) => set(table, key, null),
    commit: () => commit(changes),
    commitLater: () => commitLater(changes),
  };
}

/** JSON has no bigint: it is an object with this field. */
const bigintField = '$n';

function encode(changes: readonly unknown[]): string {
  return JSON.stringify(changes, (_key, value: unknown) => (typeof value === 'bigint' ? { [bigintField]: `${value}` } : value));
}

function decodeChanges(line: string): readonly Change[] {
  const changes = withBigints(JSON.parse(line));
  if (Array.isArray(changes) && changes.every(isChange)) return changes;
  throw new Error('it is not a list of changes');
}

/** A reviver of JSON.parse would take three times as long, and the start replays the whole file. */
function withBigints(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (bigintField in value) return BigInt(String(value[bigintField]));
  const fields = value as Record<string, unknown>;
  for (const name in fields) fields[name] = withBigints(fields[name]);
  return value;
}

function isChange(change: unknown): change is Change {
  return Array.isArray(change) && change.length === 3 && tableNames.some((name) => name === change[0]);
}
