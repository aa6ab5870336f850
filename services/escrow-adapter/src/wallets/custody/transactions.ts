import type { LedgerOperation, OperationPage } from '../network/ledger-history.js';

/** All operations of one transaction. */
export type LedgerTransaction = { readonly hash: string; readonly operations: readonly LedgerOperation[] };

/**
 * The transactions of a page that are there as a whole. The last one of a page that is not the end may go on in the next
 * page, and is left for it; a page is larger than any transaction, so something is always complete.
 */
export function completeTransactions({ operations, isLast }: OperationPage): readonly LedgerTransaction[] {
  const transactions: { readonly hash: string; readonly operations: LedgerOperation[] }[] = [];
  for (const operation of operations) {
    const current = transactions.at(-1);
    if (current?.hash === operation.transactionHash) current.operations.push(operation);
    else transactions.push({ hash: operation.transactionHash, operations: [operation] });
  }
  return isLast ? transactions : transactions.slice(0, -1);
}
