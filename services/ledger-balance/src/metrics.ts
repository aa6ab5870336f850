import { currencies } from '@holdfast/kernel/money';
import { defineGauge, defineHistogram, type MetricDeclaration } from '@holdfast/observability';
import { ledgerBooks } from './use-cases/ports.js';

export const batchPostings = defineHistogram('holdfast_ledger_batch_postings', 'Postings in one commit', {
  buckets: [1, 2, 4, 8, 16, 32, 64, 128, 256],
});
export const commitDuration = defineHistogram(
  'holdfast_ledger_commit_duration_seconds',
  'Time of one commit of postings, from the first lock to the commit, retries included',
  { buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15] },
);
export const discrepancies = defineGauge(
  'holdfast_ledger_discrepancies',
  'Discrepancies found by the last ledger check; 0 while the ledger is consistent',
);
export const checkedTransfers = defineGauge('holdfast_ledger_checked_transfers', 'Transfers covered by the last ledger check');
export const checkTimestamp = defineGauge('holdfast_ledger_check_timestamp_seconds', 'Time of the last ledger check');
export const bookTokens = defineGauge(
  'holdfast_ledger_book_tokens',
  'What the books hold as of the last ledger check: of users, in escrow, fees, open cases (suspense), and fees paid to providers and the network',
  { book: ledgerBooks, currency: currencies },
);

export const metrics: readonly MetricDeclaration[] = [
  batchPostings,
  commitDuration,
  discrepancies,
  checkedTransfers,
  checkTimestamp,
  bookTokens,
];
