import { dashboard } from './dashboard.js';
import { curves, stat } from './panel.js';
import { quantiles } from './quantiles.js';

export const ledger = dashboard({
  uid: 'holdfast-ledger',
  title: 'Holdfast: ledger and money',
  description: 'Whether the books are right, and where the money is',
  panels: [
    stat('Discrepancies', 'max(holdfast_ledger_discrepancies)', { redFrom: 1 }),
    stat('Checked transfers', 'max(holdfast_ledger_checked_transfers)'),
    stat('Age of the last check', 'time() - max(holdfast_ledger_check_timestamp_seconds)', { unit: 's', redFrom: 10_800 }),
    stat('Difference to outside systems', 'max by (currency) (abs(holdfast_reconciliation_difference_tokens))', {
      legend: '{{currency}}',
      redFrom: 0.000_000_1,
    }),
    stat('Unexplained money', 'max by (currency) (abs(holdfast_solvency_tokens{term="unexplained"}))', {
      legend: '{{currency}}',
      redFrom: 0.000_000_1,
    }),
    stat('Open cases', 'sum(max by (currency) (holdfast_reconciliation_cases_open))', { redFrom: 1 }),
    stat('Contradicted settlements', 'sum(increase(holdfast_settlements_contradicted_total[24h]))', { redFrom: 1 }),
    curves('Books', [{ expr: 'max by (book, currency) (holdfast_ledger_book_tokens)', legend: '{{book}} {{currency}}' }]),
    curves(
      'Money in escrow, by orders and by the ledger',
      [
        { expr: 'max by (currency) (holdfast_orders_held_tokens)', legend: 'orders {{currency}}' },
        { expr: 'max by (currency) (holdfast_ledger_book_tokens{book="escrow"})', legend: 'ledger {{currency}}' },
      ],
      { description: 'The two differ only while a saga is between its steps.' },
    ),
    curves('Solvency', [{ expr: 'max by (currency, term) (holdfast_solvency_tokens)', legend: '{{currency}} {{term}}' }], {
      description: 'What the platform owes and has; USDC backs the books in USD and USDC. Unexplained must be zero.',
    }),
    curves('Reconciliation: difference', [
      { expr: 'max by (currency) (holdfast_reconciliation_difference_tokens)', legend: '{{currency}}' },
    ]),
    curves(
      'Reconciliation: age of the last report',
      [{ expr: 'time() - (max by (currency) (holdfast_reconciliation_report_timestamp_seconds) > 0)', legend: '{{currency}}' }],
      { unit: 's' },
    ),
    curves('Reconciliation: opened cases', [
      {
        expr: 'sum by (kind, currency) (increase(holdfast_reconciliation_cases_opened_total[1h]))',
        legend: '{{kind}} {{currency}}',
      },
    ]),
    curves('Commit time', quantiles('holdfast_ledger_commit_duration_seconds_bucket'), { unit: 's' }),
    curves('Postings in one commit', quantiles('holdfast_ledger_batch_postings_bucket')),
    curves('Postings a second', [{ expr: 'sum(rate(holdfast_ledger_batch_postings_sum[5m]))', legend: 'postings' }]),
  ],
});
