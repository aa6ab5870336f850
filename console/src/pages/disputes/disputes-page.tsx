import type { Dispute } from '@holdfast/sdk';
import { choiceOf, useFilters } from '../../data/use-filters.js';
import { useListPage } from '../../data/use-read.js';
import { disputeStatuses } from '../../generated/states.js';
import type { Column } from '../../ui/data-table.js';
import { EmptyState } from '../../ui/empty-state.js';
import { FilterChoice, FilterText } from '../../ui/filter-fields.js';
import { IdLink } from '../../ui/id-link.js';
import { ListPage } from '../../ui/list-page.js';
import { PagedTable } from '../../ui/paged-table.js';
import { StatusBadge } from '../../ui/status-badge.js';
import { wordsOf } from '../../ui/status-words.js';
import { RelativeTime } from '../../ui/time.js';
import { Deadline } from './deadline.js';

const sides = ['BUYER', 'SELLER'] as const;
const yes = ['true'] as const;

const columns: readonly Column<Dispute>[] = [
  { header: 'Dispute', cell: ({ id }) => <IdLink id={id} /> },
  { header: 'Order', cell: ({ orderId }) => <IdLink id={orderId} />, isMinor: true },
  { header: 'Reason', cell: ({ reason }) => wordsOf(reason) },
  { header: 'Opened by', cell: ({ openedBy }) => wordsOf(openedBy), isMinor: true },
  { header: 'Status', cell: ({ status }) => <StatusBadge status={status} /> },
  { header: 'Assigned to', cell: ({ assignedTo }) => assignedTo ?? '—', isMinor: true },
  { header: 'Response due', cell: ({ respondBy, status }) => <Deadline at={respondBy} status={status} />, isMinor: true },
  { header: 'Decision due', cell: ({ decideBy, status }) => <Deadline at={decideBy} status={status} />, isMinor: true },
  { header: 'Opened', cell: ({ createdAt }) => <RelativeTime at={createdAt} /> },
];

export function DisputesPage() {
  const { values, page, cursor, set, turnTo } = useFilters(['status', 'openedBy', 'overdue', 'orderId']);
  const status = choiceOf(disputeStatuses, values.status);
  const openedBy = choiceOf(sides, values.openedBy);
  const overdue = choiceOf(yes, values.overdue);
  const input = {
    ...page,
    ...(status === undefined ? {} : { status }),
    ...(openedBy === undefined ? {} : { openedBy }),
    ...(overdue === undefined ? {} : { overdue }),
    ...(values.orderId === undefined ? {} : { orderId: values.orderId }),
  };
  const query = useListPage(['disputes.list', input], (api) => api.disputes.list(input));
  return (
    <ListPage
      title="Disputes"
      filters={
        <>
          <FilterChoice label="Status" value={status} choices={disputeStatuses} onChange={(next) => set({ status: next })} />
          <FilterChoice label="Opened by" value={openedBy} choices={sides} onChange={(next) => set({ openedBy: next })} />
          <FilterChoice
            label="Deadline"
            value={overdue}
            choices={yes}
            wordsFor={() => 'Overdue'}
            onChange={(next) => set({ overdue: next })}
          />
          <FilterText label="Order" value={values.orderId} placeholder="ord_…" onChange={(orderId) => set({ orderId })} />
        </>
      }
    >
      <PagedTable
        label="Disputes"
        columns={columns}
        query={query}
        keyOf={({ id }) => id}
        cursor={cursor}
        turnTo={turnTo}
        skeletonRows={10}
        empty={
          <EmptyState title="No disputes">
            There is nothing to decide. A buyer or a seller opens a dispute on the page of an order, or through your marketplace.
          </EmptyState>
        }
      />
    </ListPage>
  );
}
