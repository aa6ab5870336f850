import type { WebhookDelivery } from '@holdfast/sdk';
import { choiceOf, useFilters } from '../../data/use-filters.js';
import { useListPage } from '../../data/use-read.js';
import type { Column } from '../../ui/data-table.js';
import { EmptyState } from '../../ui/empty-state.js';
import { FilterChoice } from '../../ui/filter-fields.js';
import { IdLink } from '../../ui/id-link.js';
import { PagedTable } from '../../ui/paged-table.js';
import { StatusBadge } from '../../ui/status-badge.js';
import { RelativeTime } from '../../ui/time.js';

const statuses = ['PENDING', 'RETRYING', 'DELIVERED', 'EXHAUSTED', 'CANCELED'] as const;

const columns: readonly Column<WebhookDelivery>[] = [
  { header: 'Delivery', cell: ({ id }) => <IdLink id={id} /> },
  { header: 'Status', cell: ({ status }) => <StatusBadge status={status} /> },
  { header: 'Event', cell: ({ eventType }) => eventType },
  { header: 'About', cell: ({ aggregateId }) => <IdLink id={aggregateId} />, isMinor: true },
  { header: 'Attempts', cell: ({ attempts }) => attempts, isNumeric: true, isMinor: true },
  { header: 'Next attempt', cell: ({ nextAttemptAt }) => <RelativeTime at={nextAttemptAt} />, isMinor: true },
  { header: 'Created', cell: ({ createdAt }) => <RelativeTime at={createdAt} />, isMinor: true },
];

/** No event tells that a delivery has ended, so the log is read again while it is on the screen. */
const everyMs = 15_000;

/** The delivery log of an endpoint. */
export function Deliveries({ endpointId }: { readonly endpointId: string }) {
  const { values, page, cursor, set, turnTo } = useFilters(['status']);
  const status = choiceOf(statuses, values.status);
  const input = { endpointId, ...page, ...(status === undefined ? {} : { status }) };
  const query = useListPage(['webhookDeliveries.list', input], (api) => api.webhookDeliveries.list(input), { everyMs });
  return (
    <>
      <div className="hf-filters hf-filters-inside" role="search">
        <FilterChoice label="Status" value={status} choices={statuses} onChange={(next) => set({ status: next })} />
      </div>
      <PagedTable
        label="Deliveries"
        columns={columns}
        query={query}
        keyOf={({ id }) => id}
        cursor={cursor}
        turnTo={turnTo}
        empty={<EmptyState title="No deliveries">Send a test event to see the first one.</EmptyState>}
      />
    </>
  );
}
