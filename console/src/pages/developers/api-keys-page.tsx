import type { ApiKey } from '@holdfast/sdk';
import { useFilters } from '../../data/use-filters.js';
import { useListPage } from '../../data/use-read.js';
import { useMay, useSession } from '../../session/session-context.js';
import { ActionButton } from '../../ui/action-button.js';
import { ActionDialog } from '../../ui/action-dialog.js';
import type { Column } from '../../ui/data-table.js';
import { EmptyState } from '../../ui/empty-state.js';
import { IdLink } from '../../ui/id-link.js';
import { ListPage } from '../../ui/list-page.js';
import { PagedTable } from '../../ui/paged-table.js';
import { StatusBadge } from '../../ui/status-badge.js';
import { RelativeTime } from '../../ui/time.js';
import { DevelopersTabs, DocumentLinks } from './developers-tabs.js';
import { NewKeyButton } from './new-key-button.js';

const columns: readonly Column<ApiKey>[] = [
  { header: 'Name', cell: ({ name }) => <span className="hf-clip">{name}</span> },
  { header: 'Key', cell: ({ id }) => <IdLink id={id} />, isMinor: true },
  { header: 'Marketplace', cell: ({ marketplaceId }) => <IdLink id={marketplaceId} />, isMinor: true },
  { header: 'Scopes', cell: ({ scopes }) => scopes.join(', ') },
  { header: 'Status', cell: ({ status }) => <StatusBadge status={status} /> },
  { header: 'Last used', cell: ({ lastUsedAt }) => <RelativeTime at={lastUsedAt} none="never" />, isMinor: true },
  { header: 'Expires', cell: ({ expiresAt }) => <RelativeTime at={expiresAt} none="never" />, isMinor: true },
  { header: 'Action', cell: (apiKey) => <RevokeButton apiKey={apiKey} /> },
];

export function ApiKeysPage() {
  const { page, cursor, turnTo } = useFilters([]);
  const isMaster = useMay('master');
  const query = useListPage(['apiKeys.list', page], (api) => api.apiKeys.list(page));
  return (
    <ListPage
      title="Developers"
      tabs={<DevelopersTabs />}
      actions={
        <>
          <DocumentLinks />
          {isMaster ? <NewKeyButton /> : null}
        </>
      }
    >
      <PagedTable
        label="API keys"
        columns={columns}
        query={query}
        keyOf={({ id }) => id}
        cursor={cursor}
        turnTo={turnTo}
        empty={
          <EmptyState title="No API keys">
            The master key creates them, one for each system that calls the API. Sign in with it to create the first one.
          </EmptyState>
        }
      />
    </ListPage>
  );
}

/** The master key revokes every key, and a key itself. A token of a key does not. */
function RevokeButton({ apiKey: { id, name, status } }: { readonly apiKey: ApiKey }) {
  const { api, me } = useSession();
  const isOwn = me.type === 'api_key' && me.apiKeyId === id;
  if (status === 'REVOKED' || !(me.type === 'master' || isOwn)) return null;
  return (
    <ActionButton
      label="Revoke"
      look="danger"
      dialog={(close) => (
        <ActionDialog
          title={`Revoke “${name}”`}
          consequence={
            isOwn
              ? 'You are signed in with this key: you are signed out, and whatever uses it is refused within five seconds, for ever.'
              : 'Whatever uses this key is refused within five seconds, for ever.'
          }
          confirmLabel="Revoke the key"
          isDestructive
          run={() => api.apiKeys.revoke(id)}
          onClose={close}
        />
      )}
    />
  );
}
