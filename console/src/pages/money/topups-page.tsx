import type { TopUp } from '@holdfast/sdk';
import { choiceOf, useFilters } from '../../data/use-filters.js';
import { useListPage } from '../../data/use-read.js';
import { topupStatuses } from '../../generated/states.js';
import type { Column } from '../../ui/data-table.js';
import { EmptyState } from '../../ui/empty-state.js';
import { FilterChoice, FilterText } from '../../ui/filter-fields.js';
import { IdLink } from '../../ui/id-link.js';
import { ListPage } from '../../ui/list-page.js';
import { Money } from '../../ui/money.js';
import { PagedTable } from '../../ui/paged-table.js';
import { StatusBadge } from '../../ui/status-badge.js';
import { RelativeTime } from '../../ui/time.js';
import { MoneyTabs } from './money-tabs.js';

const columns: readonly Column<TopUp>[] = [
  { header: 'Top-up', cell: ({ id }) => <IdLink id={id} /> },
  { header: 'User', cell: ({ userId }) => <IdLink id={userId} />, isMinor: true },
  { header: 'Amount', cell: ({ amount, currency }) => <Money amount={amount} currency={currency} />, isNumeric: true },
  { header: 'Status', cell: ({ status }) => <StatusBadge status={status} /> },
  { header: 'Created', cell: ({ createdAt }) => <RelativeTime at={createdAt} />, isMinor: true },
];

export function TopupsPage() {
  const { values, page, cursor, set, turnTo } = useFilters(['status', 'userId']);
  const status = choiceOf(topupStatuses, values.status);
  const input = {
    ...page,
    ...(status === undefined ? {} : { status }),
    ...(values.userId === undefined ? {} : { userId: values.userId }),
  };
  const query = useListPage(['topups.list', input], (api) => api.topups.list(input));
  return (
    <ListPage
      title="Money"
      tabs={<MoneyTabs />}
      filters={
        <>
          <FilterChoice label="Status" value={status} choices={topupStatuses} onChange={(next) => set({ status: next })} />
          <FilterText label="User" value={values.userId} placeholder="usr_…" onChange={(userId) => set({ userId })} />
        </>
      }
    >
      <PagedTable
        label="Top-ups"
        columns={columns}
        query={query}
        keyOf={({ id }) => id}
        cursor={cursor}
        turnTo={turnTo}
        skeletonRows={10}
        empty={
          <EmptyState title="No top-ups">
            Create one with <code>POST /api/v1/topups</code>: it leads the user to the page of the payment provider.
          </EmptyState>
        }
      />
    </ListPage>
  );
}
