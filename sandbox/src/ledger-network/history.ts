import type { LandedOperation, LandedTransaction, Records, TableName } from '../store/records.js';

/** One operation as the history lists it; its token says where in the history it stands. */
export type HistoryEntry = { readonly token: bigint; readonly index: number; readonly transaction: LandedTransaction };

export type Page = { readonly cursor: bigint | undefined; readonly order: 'asc' | 'desc'; readonly limit: number };

/** Who was paid when, in the order it happened. Kept beside the store, and built again from it at each start. */
export type History = {
  readonly note: <Name extends TableName>(table: Name, value: Records[Name]) => void;
  readonly paymentsOf: (account: string, page: Page) => readonly HistoryEntry[];
  readonly allPayments: (page: Page) => readonly HistoryEntry[];
  readonly allOperations: (page: Page, includesFailed: boolean) => readonly HistoryEntry[];
  readonly transactionsOf: (account: string, page: Page) => readonly HistoryEntry[];
};

/** The network's own scheme: ledger, place in the ledger, operation, in one number that only grows. */
export function tokenOf(transaction: Pick<LandedTransaction, 'ledger'>, operationNumber: number): bigint {
  return (BigInt(transaction.ledger) << 32n) + (1n << 12n) + BigInt(operationNumber);
}

export function createHistory(): History {
  const byAccount = new Map<string, HistoryEntry[]>();
  const transactionsByAccount = new Map<string, HistoryEntry[]>();
  const payments: HistoryEntry[] = [];
  const everything: HistoryEntry[] = [];

  const noteTransaction = (transaction: LandedTransaction): void => {
    const entry = { token: tokenOf(transaction, 0), index: 0, transaction };
    append(transactionsByAccount, transaction.source, entry);
    for (const [index, operation] of transaction.operations.entries()) {
      const payment = { token: tokenOf(transaction, index + 1), index, transaction };
      everything.push(payment);
      const parties = transaction.failure === undefined ? partiesOf(operation) : new Set<string>();
      for (const account of parties) append(byAccount, account, payment);
      if (parties.size > 0) payments.push(payment);
    }
  };

  return {
    note: (table, value) => {
      if (table === 'transactions' && 'envelopeXdr' in value) noteTransaction(value);
    },
    paymentsOf: (account, page) => pageOf(byAccount.get(account) ?? [], page),
    allPayments: (page) => pageOf(payments, page),
    allOperations: (page, includesFailed) =>
      pageOf(includesFailed ? everything : everything.filter(({ transaction }) => transaction.failure === undefined), page),
    transactionsOf: (account, page) => pageOf(transactionsByAccount.get(account) ?? [], page),
  };
}

function append(map: Map<string, HistoryEntry[]>, key: string, entry: HistoryEntry): void {
  const entries = map.get(key);
  if (entries === undefined) map.set(key, [entry]);
  else entries.push(entry);
}

/** Whose list of payments an operation is in. */
function partiesOf(operation: LandedOperation): ReadonlySet<string> {
  switch (operation.kind) {
    case 'create_account':
      return new Set([operation.source, operation.destination]);
    case 'payment':
      return new Set([operation.source, operation.to]);
    case 'contract_call':
      return new Set(operation.transfers.flatMap(({ from, to }) => [from, to]));
    case 'change_trust':
      return new Set();
  }
}

function pageOf(entries: readonly HistoryEntry[], { cursor, order, limit }: Page): readonly HistoryEntry[] {
  if (order === 'asc') {
    const start = cursor === undefined ? 0 : firstAbove(entries, cursor);
    return entries.slice(start, start + limit);
  }
  const end = cursor === undefined ? entries.length : firstAbove(entries, cursor - 1n);
  return entries.slice(Math.max(0, end - limit), end).reverse();
}

/** Where the first entry beyond a token stands; entries are in order. */
function firstAbove(entries: readonly HistoryEntry[], token: bigint): number {
  let [low, high] = [0, entries.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    const entry = entries[middle];
    if (entry !== undefined && entry.token <= token) low = middle + 1;
    else high = middle;
  }
  return low;
}
