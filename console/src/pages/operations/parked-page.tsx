import type { ParkedMessages } from '@holdfast/sdk';
import { choiceOf, useFilters } from '../../data/use-filters.js';
import { useRead } from '../../data/use-read.js';
import { useSession } from '../../session/session-context.js';
import { ActionButton } from '../../ui/action-button.js';
import { DataTable, type Column } from '../../ui/data-table.js';
import { EmptyState } from '../../ui/empty-state.js';
import { FilterChoice } from '../../ui/filter-fields.js';
import { IdLink } from '../../ui/id-link.js';
import { ListPage } from '../../ui/list-page.js';
import { QueryView } from '../../ui/query-view.js';
import { StatusBadge } from '../../ui/status-badge.js';
import { RelativeTime } from '../../ui/time.js';
import { Unavailable } from '../../ui/unavailable.js';
import { OperationsTabs } from './operations-tabs.js';
import { OperatorDialog } from './operator-dialog.js';

const services = ['identity', 'ledger-balance', 'orders', 'escrow-adapter', 'payments', 'notifications'] as const;
const everyMs = 30_000;

type Message = ParkedMessages['messages'][number];

const columns: readonly Column<Message>[] = [
  { header: 'Service', cell: ({ service }) => service },
  { header: 'Message', cell: ({ messageId }) => <IdLink id={messageId} />, isMinor: true },
  { header: 'Type', cell: ({ type }) => type },
  { header: 'Reason', cell: ({ reason }) => <StatusBadge status={reason} tone="bad" /> },
  { header: 'Failures', cell: ({ attempts }) => attempts, isNumeric: true, isMinor: true },
  { header: 'Parked', cell: ({ parkedAt }) => <RelativeTime at={parkedAt} />, isMinor: true },
  { header: 'Sent back', cell: ({ redrivenAt }) => <RelativeTime at={redrivenAt} none="no" />, isMinor: true },
  { header: 'Action', cell: (message) => <SendBackButton message={message} /> },
];

/** Messages whose handler has failed for good. */
export function ParkedPage() {
  const { values, set } = useFilters(['service']);
  const service = choiceOf(services, values.service);
  const input = service === undefined ? {} : { service };
  const query = useRead(['operations.listParkedMessages', input], (api) => api.operations.listParkedMessages(input), { everyMs });
  return (
    <ListPage
      title="Operations"
      tabs={<OperationsTabs />}
      filters={
        <FilterChoice
          label="Service"
          value={service}
          choices={services}
          wordsFor={(choice) => choice}
          onChange={(next) => set({ service: next })}
        />
      }
    >
      <QueryView query={query}>
        {({ messages, unavailable }) => (
          <>
            <Unavailable services={unavailable} />
            <DataTable
              label="Parked messages"
              columns={columns}
              rows={messages}
              keyOf={({ service: of, messageId }) => `${of} ${messageId}`}
              empty={
                <EmptyState title="No parked messages">
                  Every message was handled. One whose handler keeps failing waits here for an operator.
                </EmptyState>
              }
            />
          </>
        )}
      </QueryView>
    </ListPage>
  );
}

function SendBackButton({ message: { service, messageId, type } }: { readonly message: Message }) {
  const { api } = useSession();
  return (
    <ActionButton
      label="Send back"
      dialog={(close) => (
        <OperatorDialog
          title={`Send ${type} back to ${service}`}
          consequence="The service handles it again. It stays parked until that has worked; remove the reason of its failure first."
          confirmLabel="Send back"
          run={(operator) => api.operations.redriveParkedMessages({ service, messageIds: [messageId], ...operator })}
          onClose={close}
        />
      )}
    />
  );
}
