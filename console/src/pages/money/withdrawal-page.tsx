import type { Withdrawal } from '@holdfast/sdk';
import type { PageProps } from '../../page-props.js';
import { formatAmount } from '../../data/format-amount.js';
import { useRead } from '../../data/use-read.js';
import { withdrawalMoves } from '../../generated/states.js';
import { useMay, useSession } from '../../session/session-context.js';
import { ActionButton } from '../../ui/action-button.js';
import { ActionDialog } from '../../ui/action-dialog.js';
import { Facts, type Fact } from '../../ui/facts.js';
import { IdLink } from '../../ui/id-link.js';
import { Money } from '../../ui/money.js';
import { ObjectPage } from '../../ui/object-page.js';
import { QueryView } from '../../ui/query-view.js';
import { Section } from '../../ui/section.js';
import { StatusBadge } from '../../ui/status-badge.js';
import { wordsOf } from '../../ui/status-words.js';
import { Time } from '../../ui/time.js';

export function WithdrawalPage({ params: { id = '' } }: PageProps) {
  const query = useRead(['withdrawals.get', id], (api) => api.withdrawals.get(id));
  return <QueryView query={query}>{(withdrawal) => <WithdrawalView withdrawal={withdrawal} />}</QueryView>;
}

function WithdrawalView({ withdrawal }: { readonly withdrawal: Withdrawal }) {
  const { id, amount, currency, status } = withdrawal;
  return (
    <ObjectPage
      kind="Withdrawal"
      id={id}
      title={`${formatAmount(amount)} ${currency}`}
      badge={<StatusBadge status={status} />}
      actions={<WithdrawalActions withdrawal={withdrawal} />}
      request={{ operation: 'withdrawals.get', params: [id] }}
    >
      <Section title="Payout">
        <Facts facts={factsOf(withdrawal)} />
      </Section>
    </ObjectPage>
  );
}

function factsOf(withdrawal: Withdrawal): readonly Fact[] {
  const { userId, amount, fee, currency, destinationType, destinationRef, description, providerPayoutId } = withdrawal;
  return [
    { label: 'User', value: <IdLink id={userId} /> },
    { label: 'Amount', value: <Money amount={amount} currency={currency} /> },
    { label: 'Fee', value: <Money amount={fee} currency={currency} /> },
    { label: 'To', value: wordsOf(destinationType) },
    { label: 'Destination', value: <IdLink id={destinationRef} /> },
    { label: 'Description', value: description },
    { label: 'Created', value: <Time at={withdrawal.createdAt} /> },
    { label: 'Completed', value: <Time at={withdrawal.completedAt} /> },
    { label: "Provider's id", value: providerPayoutId === null ? null : <IdLink id={providerPayoutId} /> },
    { label: 'Failure', value: withdrawal.failureReason ?? withdrawal.errorCode },
  ];
}

type Statuses = readonly Withdrawal['status'][];
const committable: Statuses = [...withdrawalMoves.commit];
const cancelable: Statuses = [...withdrawalMoves.cancel];
const unfinished: Statuses = [...withdrawalMoves.complete];

function WithdrawalActions({ withdrawal: { id, status, amount, currency } }: { readonly withdrawal: Withdrawal }) {
  const { api } = useSession();
  const mayWrite = useMay('write');
  if (!mayWrite) return null;
  return (
    <>
      {unfinished.includes(status) ? (
        <ActionButton
          label="Refresh"
          dialog={(close) => (
            <ActionDialog
              title="Refresh from the provider"
              consequence="Reads the state of the payout now, and books what has happened to it."
              confirmLabel="Refresh"
              run={() => api.withdrawals.refresh(id)}
              onClose={close}
            />
          )}
        />
      ) : null}
      {cancelable.includes(status) ? (
        <ActionButton
          label="Cancel"
          look="danger"
          dialog={(close) => (
            <ActionDialog
              title="Cancel the withdrawal"
              consequence="The reserved amount is available to the user again, unless the payout has left already."
              confirmLabel="Cancel the withdrawal"
              isDestructive
              run={() => api.withdrawals.cancel(id, {})}
              onClose={close}
            />
          )}
        />
      ) : null}
      {committable.includes(status) ? (
        <ActionButton
          label="Commit"
          look="main"
          dialog={(close) => (
            <ActionDialog
              title="Commit the withdrawal"
              consequence={
                <>
                  <Money amount={amount} currency={currency} /> leave the platform. A payout that the provider has accepted cannot
                  be taken back.
                </>
              }
              confirmLabel="Pay out"
              isDestructive
              run={() => api.withdrawals.commit(id)}
              onClose={close}
            />
          )}
        />
      ) : null}
    </>
  );
}
