import type { TopUp } from '@holdfast/sdk';
import type { PageProps } from '../../page-props.js';
import { useRead } from '../../data/use-read.js';
import { topupMoves } from '../../generated/states.js';
import { useMay, useSession } from '../../session/session-context.js';
import { ActionButton } from '../../ui/action-button.js';
import { ActionDialog } from '../../ui/action-dialog.js';
import { Facts, type Fact } from '../../ui/facts.js';
import { IdLink } from '../../ui/id-link.js';
import { JsonView } from '../../ui/json-view.js';
import { Money } from '../../ui/money.js';
import { ObjectPage } from '../../ui/object-page.js';
import { OutsideLink } from '../../ui/outside-link.js';
import { QueryView } from '../../ui/query-view.js';
import { Section } from '../../ui/section.js';
import { StatusBadge } from '../../ui/status-badge.js';
import { Time } from '../../ui/time.js';
import { formatAmount } from '../../data/format-amount.js';

export function TopupPage({ params: { id = '' } }: PageProps) {
  const query = useRead(['topups.get', id], (api) => api.topups.get(id));
  return <QueryView query={query}>{(topup) => <TopupView topup={topup} />}</QueryView>;
}

function TopupView({ topup }: { readonly topup: TopUp }) {
  const { id, amount, currency, status, metadata } = topup;
  return (
    <ObjectPage
      kind="Top-up"
      id={id}
      title={`${formatAmount(amount)} ${currency}`}
      badge={<StatusBadge status={status} />}
      actions={<TopupActions topup={topup} />}
      request={{ operation: 'topups.get', params: [id] }}
    >
      <Section title="Payment">
        <Facts facts={factsOf(topup)} />
      </Section>
      {Object.keys(metadata).length === 0 ? null : (
        <Section title="Metadata">
          <JsonView value={metadata} label="Metadata" />
        </Section>
      )}
    </ObjectPage>
  );
}

function factsOf(topup: TopUp): readonly Fact[] {
  const { userId, amount, currency, description, providerPayinId, confirmationUri, expiresAt, failureReason, errorCode } = topup;
  return [
    { label: 'User', value: <IdLink id={userId} /> },
    { label: 'Amount', value: <Money amount={amount} currency={currency} /> },
    { label: 'Description', value: description },
    { label: 'Created', value: <Time at={topup.createdAt} /> },
    { label: 'Updated', value: <Time at={topup.updatedAt} /> },
    { label: 'Expires', value: <Time at={expiresAt} /> },
    { label: "Provider's id", value: providerPayinId === null ? null : <IdLink id={providerPayinId} /> },
    { label: 'Payment page', value: confirmationUri === null ? null : <OutsideLink address={confirmationUri} /> },
    { label: 'Failure', value: failureReason ?? errorCode },
  ];
}

const unfinished: readonly TopUp['status'][] = [...topupMoves.fail];
const cancelable: readonly TopUp['status'][] = [...topupMoves.cancel];

function TopupActions({ topup: { id, status } }: { readonly topup: TopUp }) {
  const { api } = useSession();
  const mayWrite = useMay('write');
  if (!mayWrite || !unfinished.includes(status)) return null;
  return (
    <>
      <ActionButton
        label="Refresh"
        dialog={(close) => (
          <ActionDialog
            title="Refresh from the payment provider"
            consequence="Reads the state of the payment now. Money that has arrived is credited."
            confirmLabel="Refresh"
            run={() => api.topups.refresh(id)}
            onClose={close}
          />
        )}
      />
      {cancelable.includes(status) ? (
        <ActionButton
          label="Cancel"
          look="danger"
          dialog={(close) => (
            <ActionDialog
              title="Cancel the top-up"
              consequence="The user can no longer pay it. If money still arrives, it opens a case."
              confirmLabel="Cancel the top-up"
              isDestructive
              run={() => api.topups.cancel(id, {})}
              onClose={close}
            />
          )}
        />
      ) : null}
    </>
  );
}
