import type { LandedOperation, LandedTransaction, Records, TableName } from '../store/records.js';

/** One operation of the history: its transaction and its index there. */
export type HistoryEntry = { readonly transaction: LandedTransaction; readonly index: number };

export type Page = { readonly cursor: bigint | undefined; readonly order: 'asc' | 'desc'; readonly limit: number };

/** Operations and payments in order. An in-memory index that is rebuilt from the store at each start. */
export type History = {
  readonly add: <Name extends TableName>(table: Name, value: Records[Name]) => void;
  readonly paymentsOf: (account: string, page: Page) => readonly HistoryEntry[];
  readonly allPayments: (page: Page) => readonly HistoryEntry[];
  readonly allOperations: (page: Page, includesFailed: boolean) => readonly HistoryEntry[];
  readonly transactionsOf: (account: string, page: Page) => readonly LandedTransaction[];
};

/** Horizon's paging token: ledger, transaction in the ledger and operation in one increasing number. */
function tokenOf({ ledger }: LandedTransaction, operationNumber: number): bigint {
  return (BigInt(ledger) << 32n) + (1n << 12n) + BigInt(operationNumber);
}

export function transactionToken(transaction: LandedTransaction): bigint {
  return tokenOf(transaction, 0);
}

/** The paging token of an operation. It is computed on demand, because the index is never pruned and should stay small. */
export function entryToken({ transaction, index }: HistoryEntry): bigint {
  return tokenOf(transaction, index + 1);
}

export function createHistory(): History {
  const byAccount = new Map<string, HistoryEntry[]>();
  const transactionsByAccount = new Map<string, LandedTransaction[]>();
  const payments: HistoryEntry[] = [];
  const operations: HistoryEntry[] = [];

  const addTransaction = (transaction: LandedTransaction): void => {
    append(transactionsByAccount, transaction.source, transaction);
    for (const [index, operation] of transaction.operations.entries()) {
      const entry = { transaction, index };
      operations.push(entry);
      const parties = transaction.failure === undefined ? partiesOf(operation) : noParties;
      for (const account of parties) append(byAccount, account, entry);
      if (parties.size > 0) payments.push(entry);
    }
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
    transactionsOf: (account, page) => pageOf(transactionsByAccount.get(account) ?? [], transactionToken, page),
  };
}

function append<Entry>(map: Map<string, Entry[]>, key: string, entry: Entry): void {
  const entries = map.get(key);
  if (entries === undefined) map.set(key, [entry]);
  else entries.push(entry);
}

const noParties: ReadonlySet<string> = new Set();

/** The accounts whose payments include the operation. */
function partiesOf(operation: LandedOperation): ReadonlySet<string> {
  switch (operation.kind) {
    case 'create_account':
      return new Set([operation.source, operation.destination]);
    case 'payment':
      return new Set([operation.source, operation.to]);
    case 'contract_call':
      return operation.transfers.length === 0 ? noParties : new Set(operation.transfers.flatMap(({ from, to }) => [from, to]));
    case 'change_trust':
      return noParties;
  }
}

type TokenOf<Entry> = (entry: Entry) => bigint;

function pageOf<Entry>(entries: readonly Entry[], token: TokenOf<Entry>, { cursor, order, limit }: Page): readonly Entry[] {
  if (order === 'asc') {
    const start = cursor === undefined ? 0 : firstAbove(entries, token, cursor);
    return entries.slice(start, start + limit);
  }
  const end = cursor === undefined ? entries.length : firstAbove(entries, token, cursor - 1n);
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
