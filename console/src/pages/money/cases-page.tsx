import type { ReconciliationCase } from '@holdfast/sdk';
import { choiceOf, useFilters } from '../../data/use-filters.js';
import { useListPage } from '../../data/use-read.js';
import { caseStatuses } from '../../generated/states.js';
import { ActionButton } from '../../ui/action-button.js';
import type { Column } from '../../ui/data-table.js';
import { EmptyState } from '../../ui/empty-state.js';
import { FilterChoice, FilterText } from '../../ui/filter-fields.js';
import { IdLink } from '../../ui/id-link.js';
import { ListPage } from '../../ui/list-page.js';
import { Money } from '../../ui/money.js';
import { PagedTable } from '../../ui/paged-table.js';
import { StatusBadge } from '../../ui/status-badge.js';
import { wordsOf } from '../../ui/status-words.js';
import { RelativeTime } from '../../ui/time.js';
import { CaseDialog } from './case-dialog.js';
import { MoneyTabs } from './money-tabs.js';

const kinds = [
  'late_money',
  'amount_mismatch',
  'unexplained_difference',
  'unknown_deposit',
  'unconfirmed_deposit',
  'unconfirmed_payment',
  'unknown_outflow',
  'quarantined_record',
] as const satisfies readonly ReconciliationCase['kind'][];

const columns: readonly Column<ReconciliationCase>[] = [
  { header: 'Case', cell: ({ id }) => <IdLink id={id} />, isMinor: true },
  { header: 'Kind', cell: ({ kind }) => wordsOf(kind) },
  { header: 'Amount', cell: ({ amount, currency }) => <Money amount={amount} currency={currency} />, isNumeric: true },
  { header: 'User', cell: ({ userId }) => (userId === null ? '—' : <IdLink id={userId} />), isMinor: true },
  { header: 'Status', cell: ({ status }) => <StatusBadge status={status} />, isMinor: true },
  { header: 'Found', cell: ({ foundAt }) => <RelativeTime at={foundAt} />, isMinor: true },
  {
    header: 'Decision',
    cell: (record) => (
      <ActionButton
        label={record.status === 'RESOLVED' ? 'Look' : 'Decide'}
        dialog={(close) => <CaseDialog record={record} onClose={close} />}
      />
    ),
  },
];

export function CasesPage() {
  const { values, page, cursor, set, turnTo } = useFilters(['status', 'kind', 'userId']);
  const status = choiceOf(caseStatuses, values.status);
  const kind = choiceOf(kinds, values.kind);
  const input = {
    ...page,
    ...(status === undefined ? {} : { status }),
    ...(kind === undefined ? {} : { kind }),
    ...(values.userId === undefined ? {} : { userId: values.userId }),
  };
  const query = useListPage(['reconciliation.listCases', input], (api) => api.reconciliation.listCases(input), {
    everyMs: 60_000,
  });
  return (
    <ListPage
      title="Money"
      tabs={<MoneyTabs />}
      filters={
        <>
          <FilterChoice label="Status" value={status} choices={caseStatuses} onChange={(next) => set({ status: next })} />
          <FilterChoice label="Kind" value={kind} choices={kinds} onChange={(next) => set({ kind: next })} />
          <FilterText label="User" value={values.userId} placeholder="usr_…" onChange={(userId) => set({ userId })} />
        </>
      }
    >
      <PagedTable
        label="Reconciliation cases"
        columns={columns}
        query={query}
        keyOf={({ id }) => id}
        cursor={cursor}
        turnTo={turnTo}
        skeletonRows={6}
        empty={
          <EmptyState title="No cases">
            All money is explained. A case opens when money arrives that belongs to no operation, or when a difference stays.
          </EmptyState>
        }
      />
    </ListPage>
  );
}
