import { z } from 'zod';
import { toInstant } from '@holdfast/kernel/context';
import type { HistoryTransaction } from './ledger-history.js';
import { memoIn } from './parse-operation.js';

const fields = z.object({
  paging_token: z.string().regex(/^\d{1,19}$/),
  hash: z.string(),
  source_account: z.string(),
  successful: z.boolean(),
  created_at: z.string().refine((text) => !Number.isNaN(Date.parse(text))),
  memo_type: z.string().optional(),
  memo: z.string().optional(),
  inner_transaction: z.object({ hash: z.string() }).optional(),
});

export function transactionListOf(
  address: string,
  { cursor, limit }: { readonly cursor: string | undefined; readonly limit: number },
): string {
  const query = new URLSearchParams({ order: 'desc', limit: String(limit) });
  if (cursor !== undefined) query.set('cursor', cursor);
  return `/accounts/${address}/transactions?${query.toString()}`;
}

/** Throws where the record cannot be understood: a payment that is overlooked would be paid twice. */
export function parseTransaction(record: unknown): HistoryTransaction {
  const transaction = fields.parse(record);
  return {
    hash: transaction.inner_transaction?.hash ?? transaction.hash,
    source: transaction.source_account,
    isSuccessful: transaction.successful,
    at: toInstant(Date.parse(transaction.created_at)),
    position: transaction.paging_token,
    ...memoIn(transaction),
  };
}
