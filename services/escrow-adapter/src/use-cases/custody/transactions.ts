import { AppError } from '@holdfast/kernel/errors';
import type { HistoryEntry, HistoryPage } from '@holdfast/ledger-network/horizon';

/** All records of one transaction. A record that does not name its transaction belongs to the one before it. */
export type LedgerTransaction = { readonly hash: string | undefined; readonly entries: readonly HistoryEntry[] };

/**
 * The transactions whose operations are all on the page. Unless the page is the last one, its last transaction may continue on
 * the next page and is left out. A page holds more operations than a transaction can have, so it always completes one.
 */
export function completeTransactions({ entries, isLast }: HistoryPage): readonly LedgerTransaction[] {
  const transactions: { readonly hash: string | undefined; readonly entries: HistoryEntry[] }[] = [];
  for (const entry of entries) {
    const { transactionHash: hash } = entry;
    const current = transactions.at(-1);
    if (current === undefined || (hash !== undefined && hash !== current.hash)) transactions.push({ hash, entries: [entry] });
    else current.entries.push(entry);
  }
  return isLast ? transactions : transactions.slice(0, -1);
}

/**
 * The position behind the transactions, which is the position of their last record. Throws SERVICE_UNAVAILABLE if the positions do not ascend from the
 * cursor, because the node has then returned the wrong part of the history.
 */
export function positionAfter(cursor: string, transactions: readonly LedgerTransaction[]): string {
  let last = cursor;
  for (const { position } of transactions.flatMap(({ entries }) => entries)) {
    if (position === undefined) continue;
    if (last !== '' && BigInt(position) <= BigInt(last))
      throw new AppError('SERVICE_UNAVAILABLE', { dependency: 'ledgerNetwork' });
    last = position;
  }
  return last;
}
