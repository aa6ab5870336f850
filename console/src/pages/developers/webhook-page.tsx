import type { WebhookEndpoint } from '@holdfast/sdk';
import type { PageProps } from '../../page-props.js';
import { useRead } from '../../data/use-read.js';
import { useMay } from '../../session/session-context.js';
import { Facts, type Fact } from '../../ui/facts.js';
import { ObjectPage } from '../../ui/object-page.js';
import { QueryView } from '../../ui/query-view.js';
import { Section } from '../../ui/section.js';
import { StatusBadge } from '../../ui/status-badge.js';
import { wordsOf } from '../../ui/status-words.js';
import { Time } from '../../ui/time.js';
import { Deliveries } from './deliveries.js';
import { WebhookActions } from './webhook-actions.js';

export function WebhookPage({ params: { id = '' } }: PageProps) {
  const query = useRead(['webhookEndpoints.get', id], (api) => api.webhookEndpoints.get(id));
  return <QueryView query={query}>{(endpoint) => <WebhookView endpoint={endpoint} />}</QueryView>;
}

function WebhookView({ endpoint }: { readonly endpoint: WebhookEndpoint }) {
  const { id, url, status } = endpoint;
  const mayWrite = useMay('write');
  return (
    <ObjectPage
      kind="Webhook endpoint"
      id={id}
      title={url}
      badge={<StatusBadge status={status} />}
      actions={mayWrite ? <WebhookActions endpoint={endpoint} /> : undefined}
      request={{ operation: 'webhookEndpoints.get', params: [id] }}
    >
      <Section title="Endpoint">
        <Facts facts={factsOf(endpoint)} />
      </Section>
      <Section title="Deliveries" isFlush>
        <Deliveries endpointId={id} />
      </Section>
    </ObjectPage>
  );
}

function factsOf(endpoint: WebhookEndpoint): readonly Fact[] {
  const { description, types, ordering, failingSince, disabledAt, disabledReason, createdAt, updatedAt } = endpoint;
  return [
    { label: 'Description', value: description },
    { label: 'Events', value: types.length === 0 ? 'All' : types.join(', ') },
    { label: 'Sequence', value: ordering === 'aggregate' ? 'One after the other for each object' : 'None' },
    { label: 'Failing since', value: <Time at={failingSince} /> },
    { label: 'Disabled', value: disabledAt === null ? null : <Time at={disabledAt} /> },
    { label: 'Why', value: disabledReason === null ? null : wordsOf(disabledReason) },
    { label: 'Created', value: <Time at={createdAt} /> },
    { label: 'Updated', value: <Time at={updatedAt} /> },
  ];
}
