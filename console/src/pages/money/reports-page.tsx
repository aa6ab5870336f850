import type { ReconciliationReport } from '@holdfast/sdk';
import { unitsOf } from '../../data/format-amount.js';
import { choiceOf, useFilters } from '../../data/use-filters.js';
import { useListPage } from '../../data/use-read.js';
import { useMay, useSession } from '../../session/session-context.js';
import { ActionButton } from '../../ui/action-button.js';
import { ActionDialog } from '../../ui/action-dialog.js';
import type { Column } from '../../ui/data-table.js';
import { EmptyState } from '../../ui/empty-state.js';
import { FilterChoice } from '../../ui/filter-fields.js';
import { ListPage } from '../../ui/list-page.js';
import { Money } from '../../ui/money.js';
import { PagedTable } from '../../ui/paged-table.js';
import { RelativeTime } from '../../ui/time.js';
import { MoneyTabs } from './money-tabs.js';

const currencies = ['USD', 'USDC', 'XLM'] as const;

const columns: readonly Column<ReconciliationReport>[] = [
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
  { header: 'Solvency', cell: ({ solvency }) => <Amount amount={solvency} />, isNumeric: true },
  {
    header: 'Unexplained',
    cell: ({ unexplained }) => <Amount amount={unexplained} mustBeZero />,
    isNumeric: true,
    isMinor: true,
  },
  { header: 'Open cases', cell: ({ openCases }) => openCases, isNumeric: true, isMinor: true },
];

export function ReportsPage() {
  const { values, page, cursor, set, turnTo } = useFilters(['currency']);
  const isMaster = useMay('master');
  const currency = choiceOf(currencies, values.currency);
  const input = { ...page, ...(currency === undefined ? {} : { currency }) };
  const query = useListPage(['reconciliation.listReports', input], (api) => api.reconciliation.listReports(input), {
    isEnabled: isMaster,
    everyMs: 60_000,
  });
  if (!isMaster) return <MasterOnly />;
  return (
    <ListPage
      title="Money"
      tabs={<MoneyTabs />}
      actions={<NewReports />}
      filters={
        <FilterChoice
          label="Currency"
          value={currency}
          choices={currencies}
          wordsFor={(choice) => choice}
          onChange={(next) => set({ currency: next })}
        />
      }
    >
      <PagedTable
        label="Reconciliation reports"
        columns={columns}
        query={query}
        keyOf={({ id }) => id}
        cursor={cursor}
        turnTo={turnTo}
        empty={<EmptyState title="No reports yet">The platform makes them regularly. Make the first ones now.</EmptyState>}
      />
    </ListPage>
  );
}

function MasterOnly() {
  return (
    <ListPage title="Money" tabs={<MoneyTabs />}>
      <EmptyState title="For the master key only">
        Reports are about the whole platform. Sign in with the master key to see them.
      </EmptyState>
    </ListPage>
  );
}

function NewReports() {
  const { api } = useSession();
  return (
    <ActionButton
      label="Make reports now"
      dialog={(close) => (
        <ActionDialog
          title="Make reports now"
          consequence="Compares the journal with the payment provider and the ledger network, in each currency. It moves no money; a difference that stays opens a case."
          confirmLabel="Compare"
          run={() => api.reconciliation.createReports()}
          onClose={close}
        />
      )}
    />
  );
}

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
