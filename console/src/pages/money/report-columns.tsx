import type { ReconciliationReport } from '@holdfast/sdk';
import { unitsOf } from '../../data/format-amount.js';
import type { Column } from '../../ui/data-table.js';
import { Money } from '../../ui/money.js';
import { RelativeTime } from '../../ui/time.js';

export const reportColumns: readonly Column<ReconciliationReport>[] = [
  { header: 'Made', cell: ({ at }) => <RelativeTime at={at} /> },
  { header: 'Currency', cell: ({ currency }) => currency },
  { header: 'Journal', cell: ({ journal }) => <Amount amount={journal} />, isNumeric: true, isMinor: true },
  {
    header: 'Payment provider',
    cell: ({ paymentProvider }) => <Amount amount={paymentProvider} />,
    isNumeric: true,
    isMinor: true,
  },
  { header: 'Ledger network', cell: ({ ledgerNetwork }) => <Amount amount={ledgerNetwork} />, isNumeric: true, isMinor: true },
  { header: 'Difference', cell: ({ difference }) => <Amount amount={difference} mustBeZero />, isNumeric: true },
  { header: 'Liabilities', cell: ({ liabilities }) => <Amount amount={liabilities} />, isNumeric: true, isMinor: true },
  { header: 'Assets', cell: ({ assets }) => <Amount amount={assets} />, isNumeric: true, isMinor: true },
  { header: 'Solvency', cell: ({ solvency }) => <Amount amount={solvency} />, isNumeric: true, isMinor: true },
  {
    header: 'Unexplained',
    cell: ({ unexplained }) => <Amount amount={unexplained} mustBeZero />,
    isNumeric: true,
    isMinor: true,
  },
  { header: 'Open cases', cell: ({ openCases }) => openCases, isNumeric: true, isMinor: true },
];

type AmountProps = { readonly amount: string | null; readonly mustBeZero?: boolean };

/** A part that could not be read has no amount. */
function Amount({ amount, mustBeZero = false }: AmountProps) {
  if (amount === null) return <span className="hf-dimmed">unavailable</span>;
  const isWrong = mustBeZero && unitsOf(amount) !== 0n;
  return (
    <span className={isWrong ? 'hf-badge hf-badge-bad' : undefined}>
      <Money amount={amount} />
    </span>
  );
}
