import type { WebhookDeliveryWithLog } from '@holdfast/sdk';
import type { PageProps } from '../../page-props.js';
import { useRead } from '../../data/use-read.js';
import { useMay, useSession } from '../../session/session-context.js';
import { ActionButton } from '../../ui/action-button.js';
import { ActionDialog } from '../../ui/action-dialog.js';
import { DataTable, type Column } from '../../ui/data-table.js';
import { EmptyState } from '../../ui/empty-state.js';
import { Facts, type Fact } from '../../ui/facts.js';
import { IdLink } from '../../ui/id-link.js';
import { ObjectPage } from '../../ui/object-page.js';
import { QueryView } from '../../ui/query-view.js';
import { Section } from '../../ui/section.js';
import { StatusBadge } from '../../ui/status-badge.js';
import { Time } from '../../ui/time.js';

const everyMs = 15_000;

export function DeliveryPage({ params: { id = '' } }: PageProps) {
  const query = useRead(['webhookDeliveries.get', id], (api) => api.webhookDeliveries.get(id), { everyMs });
  return <QueryView query={query}>{(delivery) => <DeliveryView delivery={delivery} />}</QueryView>;
}

type DeliveryProps = { readonly delivery: WebhookDeliveryWithLog };

function DeliveryView({ delivery }: DeliveryProps) {
  const { id, eventType, status, attemptLog } = delivery;
  return (
    <ObjectPage
      kind="Webhook delivery"
      id={id}
      title={eventType}
      badge={<StatusBadge status={status} />}
      actions={<ResendButton delivery={delivery} />}
      request={{ operation: 'webhookDeliveries.get', params: [id] }}
    >
      <Section title="Delivery">
        <Facts facts={factsOf(delivery)} />
      </Section>
      <Section title="Attempts" isFlush>
        <DataTable
          label="Attempts"
          columns={attemptColumns}
          rows={attemptLog}
          keyOf={({ at }) => at}
          empty={
            <EmptyState title="No attempt yet">
              It follows as soon as the deliveries before it about the same object have ended.
            </EmptyState>
          }
        />
      </Section>
    </ObjectPage>
  );
}

function factsOf(delivery: WebhookDeliveryWithLog): readonly Fact[] {
  const { endpointId, eventId, aggregateId, attempts, nextAttemptAt, deliveredAt, createdAt } = delivery;
  return [
    { label: 'Endpoint', value: <IdLink id={endpointId} /> },
    { label: 'Event', value: <IdLink id={eventId} /> },
    { label: 'About', value: <IdLink id={aggregateId} /> },
    { label: 'Attempts', value: attempts },
    { label: 'Next attempt', value: <Time at={nextAttemptAt} /> },
    { label: 'Delivered', value: <Time at={deliveredAt} /> },
    { label: 'Created', value: <Time at={createdAt} /> },
  ];
}

type Attempt = WebhookDeliveryWithLog['attemptLog'][number];

const attemptColumns: readonly Column<Attempt>[] = [
  { header: 'At', cell: ({ at }) => <Time at={at} /> },
  { header: 'Took', cell: ({ durationMs }) => `${durationMs} ms`, isNumeric: true },
  { header: 'Status', cell: ({ status }) => status ?? '—', isNumeric: true },
  { header: 'Error', cell: ({ error }) => (error === null ? '—' : <StatusBadge status={error} tone="bad" />) },
  { header: 'Response', cell: ({ responseBody }) => <span className="hf-response">{responseBody}</span>, isMinor: true },
];

const unfinished: readonly WebhookDeliveryWithLog['status'][] = ['PENDING', 'RETRYING'];

function ResendButton({ delivery: { id, status } }: DeliveryProps) {
  const { api } = useSession();
  const mayWrite = useMay('write');
  if (!mayWrite || unfinished.includes(status)) return null;
  return (
    <ActionButton
      label="Send again"
      dialog={(close) => (
        <ActionDialog
          title="Send the event again"
          consequence="A new delivery has the same event and the same webhook-id: a receiver that compares it does nothing twice."
          confirmLabel="Send"
          run={() => api.webhookDeliveries.resend(id)}
          onClose={close}
        />
      )}
    />
  );
}
