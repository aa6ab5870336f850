import type { LedgerOperation, OperationPage } from '../network/ledger-history.js';

/** All operations of one transaction. */
export type LedgerTransaction = { readonly hash: string; readonly operations: readonly LedgerOperation[] };

/**
 * The transactions whose operations are all on the page. Unless the page is the last one, its last transaction may continue on
 * the next page and is left out. A page holds more operations than a transaction can have, so it always completes one.
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
