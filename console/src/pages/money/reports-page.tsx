import { choiceOf, useFilters } from '../../data/use-filters.js';
import { useListPage } from '../../data/use-read.js';
import { useMay, useSession } from '../../session/session-context.js';
import { ActionButton } from '../../ui/action-button.js';
import { ActionDialog } from '../../ui/action-dialog.js';
import { EmptyState } from '../../ui/empty-state.js';
import { FilterChoice } from '../../ui/filter-fields.js';
import { ListPage } from '../../ui/list-page.js';
import { PagedTable } from '../../ui/paged-table.js';
import { MasterOnly } from './master-only.js';
import { MoneyTabs } from './money-tabs.js';
import { reportColumns } from './report-columns.js';

const currencies = ['USD', 'USDC', 'XLM'] as const;

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
        columns={reportColumns}
        query={query}
        keyOf={({ id }) => id}
        cursor={cursor}
        turnTo={turnTo}
        empty={<EmptyState title="No reports yet">The platform makes them regularly. Make the first ones now.</EmptyState>}
      />
    </ListPage>
  );
}

/** Compares at once, instead of with the next report of the platform. */
export function NewReports() {
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
