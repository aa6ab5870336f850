import type { WebhookEndpoint } from '@holdfast/sdk';
import { useFilters } from '../../data/use-filters.js';
import { useListPage } from '../../data/use-read.js';
import { useMay } from '../../session/session-context.js';
import type { Column } from '../../ui/data-table.js';
import { EmptyState } from '../../ui/empty-state.js';
import { IdLink } from '../../ui/id-link.js';
import { ListPage } from '../../ui/list-page.js';
import { PagedTable } from '../../ui/paged-table.js';
import { StatusBadge } from '../../ui/status-badge.js';
import { RelativeTime } from '../../ui/time.js';
import { DevelopersTabs, DocumentLinks } from './developers-tabs.js';
import { NewWebhookButton } from './new-webhook-button.js';

const columns: readonly Column<WebhookEndpoint>[] = [
  { header: 'Endpoint', cell: ({ id }) => <IdLink id={id} /> },
  { header: 'Address', cell: ({ url }) => <span className="hf-clip">{url}</span> },
  { header: 'Events', cell: ({ types }) => typesText(types), isMinor: true },
  { header: 'Status', cell: ({ status }) => <StatusBadge status={status} /> },
  { header: 'Failing', cell: ({ failingSince }) => <RelativeTime at={failingSince} none="no" />, isMinor: true },
  { header: 'Created', cell: ({ createdAt }) => <RelativeTime at={createdAt} />, isMinor: true },
];

function typesText(types: readonly string[]): string {
  if (types.length === 0) return 'All';
  return types.length <= 2 ? types.join(', ') : `${types.slice(0, 2).join(', ')} and ${types.length - 2} more`;
}

export function WebhooksPage() {
  const { page, cursor, turnTo } = useFilters([]);
  const mayWrite = useMay('write');
  const query = useListPage(['webhookEndpoints.list', page], (api) => api.webhookEndpoints.list(page));
  return (
    <ListPage
      title="Developers"
      tabs={<DevelopersTabs />}
      actions={
        <>
          <DocumentLinks />
          {mayWrite ? <NewWebhookButton /> : null}
        </>
      }
    >
      <PagedTable
        label="Webhook endpoints"
        columns={columns}
        query={query}
        keyOf={({ id }) => id}
        cursor={cursor}
        turnTo={turnTo}
        empty={
          <EmptyState title="No webhook endpoints">
            The platform can send each event to an address of yours, signed. On your own machine{' '}
            <code>npm run holdfast -- listen</code> receives them without one.
          </EmptyState>
        }
      />
    </ListPage>
  );
}
