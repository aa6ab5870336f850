import type { Order } from '@holdfast/sdk';
import { formatDuration } from '../../data/format-time.js';
import { Facts } from '../../ui/facts.js';
import { IdLink } from '../../ui/id-link.js';
import { JsonView } from '../../ui/json-view.js';
import { Money } from '../../ui/money.js';
import { Section } from '../../ui/section.js';
import { StatusBadge } from '../../ui/status-badge.js';
import { RelativeTime, Time } from '../../ui/time.js';

/** The parties of an order, its amounts and its terms. */
export function OrderFacts({ order }: { readonly order: Order }) {
  const { metadata, description } = order;
  return (
    <div className="hf-column">
      <Section title="Money">
        <MoneyFacts order={order} />
      </Section>
      <Section title="Terms">
        <TermFacts order={order} />
      </Section>
      {order.escrow === null ? null : (
        <Section title="Escrow contract">
          <EscrowFacts escrow={order.escrow} />
        </Section>
      )}
      {description === null ? null : (
        <Section title="Description">
          <p className="hf-prose">{description}</p>
        </Section>
      )}
      {Object.keys(metadata).length === 0 ? null : (
        <Section title="Metadata" isFlush>
          <JsonView value={metadata} label="Metadata of the order" />
        </Section>
      )}
    </div>
  );
}

function MoneyFacts({ order: { amount, currency, amounts, platformFee } }: { readonly order: Order }) {
  return (
    <Facts
      facts={[
        { label: 'Amount', value: <Money amount={amount} currency={currency} /> },
        { label: 'Platform fee', value: `${platformFee} %` },
        { label: 'In escrow', value: <Money amount={amounts.inEscrow} currency={currency} /> },
        { label: 'Disputed', value: <Money amount={amounts.disputed} currency={currency} /> },
        { label: 'Released', value: <Money amount={amounts.released} currency={currency} /> },
        { label: 'Refunded', value: <Money amount={amounts.refunded} currency={currency} /> },
      ]}
    />
  );
}

function TermFacts({ order }: { readonly order: Order }) {
  const { buyerId, sellerId, clientOrderRef, releaseMode, reviewPeriod, deliverBy, dispute, createdAt, updatedAt } = order;
  const timed = [
    { label: 'Released', value: releaseMode === 'milestone' ? 'Milestone by milestone' : 'As a whole' },
    { label: 'Review period', value: reviewPeriod === null ? null : formatDuration(reviewPeriod) },
    { label: 'Deliver by', value: <RelativeTime at={deliverBy} /> },
    { label: 'If not delivered', value: order.onNotDelivered === 'refund' ? 'Refunded to the buyer' : 'Nothing happens' },
  ];
  return (
    <Facts
      facts={[
        { label: 'Buyer', value: <IdLink id={buyerId} /> },
        { label: 'Seller', value: <IdLink id={sellerId} /> },
        { label: 'Your reference', value: clientOrderRef },
        { label: 'Dispute', value: dispute === null ? null : <IdLink id={dispute.id} /> },
        ...(order.milestones.length === 0 ? [] : timed),
        { label: 'Created', value: <Time at={createdAt} /> },
        { label: 'Updated', value: <Time at={updatedAt} /> },
      ]}
    />
  );
}

function EscrowFacts({ escrow }: { readonly escrow: NonNullable<Order['escrow']> }) {
  const { id, providerContractId, status, fundedAt, releasedAt, refundedAt } = escrow;
  return (
    <Facts
      facts={[
        { label: 'State', value: <StatusBadge status={status} /> },
        { label: 'Id', value: <IdLink id={id} /> },
        { label: 'Contract', value: providerContractId === null ? null : <IdLink id={providerContractId} /> },
        { label: 'Funded', value: <Time at={fundedAt} /> },
        { label: 'Released', value: <Time at={releasedAt} /> },
        { label: 'Refunded', value: <Time at={refundedAt} /> },
      ]}
    />
  );
}
