import type { LandedTransaction, Records, TableName } from '../store/records.js';
import { paymentParties } from './payment-parties.js';

/** One operation of the history: its transaction and its index there. */
export type HistoryEntry = { readonly transaction: LandedTransaction; readonly index: number };

export type Page = {
  readonly cursor: bigint | undefined;
  readonly order: 'asc' | 'desc';
  readonly limit: number;
  /** Later ledgers are not known to the node. */
  readonly lastLedger?: number | undefined;
};

/** Operations and payments in order. An in-memory index that is rebuilt from the store at each start. */
export type History = {
  readonly add: <Name extends TableName>(table: Name, value: Records[Name]) => void;
  readonly paymentsOf: (account: string, page: Page) => readonly HistoryEntry[];
  readonly allPayments: (page: Page) => readonly HistoryEntry[];
  readonly allOperations: (page: Page, includesFailed: boolean) => readonly HistoryEntry[];
  readonly operation: (token: bigint) => HistoryEntry | undefined;
  readonly transactionsOf: (account: string, page: Page) => readonly LandedTransaction[];
};

type Place = Pick<LandedTransaction, 'ledger' | 'applicationOrder'>;

/** Horizon's paging token: ledger, transaction in the ledger and operation in one increasing number. */
function tokenOf({ ledger, applicationOrder }: Place, operationNumber: number): bigint {
  return (BigInt(ledger) << 32n) + (BigInt(applicationOrder) << 12n) + BigInt(operationNumber);
}

function lastTokenOf(ledger: number): bigint {
  return (BigInt(ledger + 1) << 32n) - 1n;
}

export function transactionToken(transaction: LandedTransaction): bigint {
  return tokenOf(transaction, 0);
}

/** The paging token of an operation. It is computed on demand, because the index is never pruned and should stay small. */
export function entryToken({ transaction, index }: HistoryEntry): bigint {
  return operationToken(transaction, index);
}

export function operationToken(place: Place, index: number): bigint {
  return tokenOf(place, index + 1);
}

export function createHistory(): History {
  const byAccount = new Map<string, HistoryEntry[]>();
  const transactionsByAccount = new Map<string, LandedTransaction[]>();
  const payments: HistoryEntry[] = [];
  const operations: HistoryEntry[] = [];

  const addTransaction = (transaction: LandedTransaction): void => {
    const named = new Set([transaction.source, transaction.feeBump?.source ?? transaction.source]);
    for (const [index, operation] of transaction.operations.entries()) {
      const entry = { transaction, index };
      operations.push(entry);
      const parties = transaction.failure === undefined ? paymentParties(operation) : noParties;
      for (const account of parties) {
        append(byAccount, account, entry);
        named.add(account);
      }
      if (parties.size > 0) payments.push(entry);
    }
    for (const account of named) append(transactionsByAccount, account, transaction);
  };

  return {
    add: (table, value) => {
      if (table === 'transactions' && 'envelopeXdr' in value) addTransaction(value);
    },
    paymentsOf: (account, page) => pageOf(byAccount.get(account) ?? [], entryToken, page),
    allPayments: (page) => pageOf(payments, entryToken, page),
    allOperations: (page, includesFailed) =>
      pageOf(
        includesFailed ? operations : operations.filter(({ transaction }) => transaction.failure === undefined),
        entryToken,
        page,
      ),
    operation: (token) => {
      const entry = operations[firstAbove(operations, entryToken, token - 1n)];
      return entry !== undefined && entryToken(entry) === token ? entry : undefined;
    },
    transactionsOf: (account, page) => pageOf(transactionsByAccount.get(account) ?? [], transactionToken, page),
  };
}

function append<Entry>(map: Map<string, Entry[]>, key: string, entry: Entry): void {
  const entries = map.get(key);
  if (entries === undefined) map.set(key, [entry]);
  else entries.push(entry);
}

const noParties: ReadonlySet<string> = new Set();

type TokenOf<Entry> = (entry: Entry) => bigint;

function pageOf<Entry>(entries: readonly Entry[], token: TokenOf<Entry>, page: Page): readonly Entry[] {
  const { cursor, order, limit, lastLedger } = page;
  const known = lastLedger === undefined ? entries.length : firstAbove(entries, token, lastTokenOf(lastLedger));
  if (order === 'asc') {
    const start = cursor === undefined ? 0 : firstAbove(entries, token, cursor);
    return entries.slice(start, Math.min(start + limit, known));
  }
  const end = cursor === undefined ? known : Math.min(known, firstAbove(entries, token, cursor - 1n));
  return entries.slice(Math.max(0, end - limit), end).reverse();
}

/** Binary search for the index of the first entry after a cursor. */
function firstAbove<Entry>(entries: readonly Entry[], token: TokenOf<Entry>, cursor: bigint): number {
  let [low, high] = [0, entries.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    const entry = entries[middle];
    if (entry !== undefined && token(entry) <= cursor) low = middle + 1;
    else high = middle;
  }
  return low;
}
