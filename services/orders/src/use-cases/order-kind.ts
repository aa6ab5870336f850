import {
  escrowAbortRequested,
  escrowDeployRequested,
  escrowSettlementRequested,
  orderAbortRequested,
  orderCancelRequested,
  orderFundRequested,
  orderReserveRequested,
  type MessageDeclaration,
} from '@holdfast/contracts/messages';
import type { MessageId } from '@holdfast/kernel/ids';
import { formatMoney } from '@holdfast/kernel/money';
import { command, event, type AggregateKind, type AuditedResource, type Event, type NewAuditEntry } from '@holdfast/sagas';
import { amountToSettle } from '../domain/amounts.js';
import { escrowOf, isPaidOut } from '../domain/escrow.js';
import { focusedMilestone, unfocused } from '../domain/focus.js';
import { isPaid } from '../domain/milestone-states.js';
import type { Order } from '../domain/order.js';
import { plannedShares } from '../domain/payout-shares.js';
import { percentText } from '../domain/percent.js';
import type { UnitOfWork } from './ports.js';
import { recordOf } from './records.js';

const settle = command(escrowSettlementRequested, settlement);

/** How orders are saved and audited, and the command of each of their sagas. */
export const orderKind: AggregateKind<Order, UnitOfWork> = {
  save: (tx, after, before) => tx.orders.save(unfocused(before), unfocused(after)),
  audited,
  commands: {
    reserve: command(orderReserveRequested, buyerFunds),
    cancel: command(orderCancelRequested, cancellation),
    'create-escrow': command(escrowDeployRequested, deployment),
    fund: command(orderFundRequested, buyerFunds),
    release: settle,
    refund: settle,
    'resolve-dispute': settle,
    'release-milestone': settle,
    'refund-milestone': settle,
    'resolve-milestone-dispute': settle,
  },
  abortOf,
  partOf,
  withNextVersion,
  recordOf,
};

const disputeActions: ReadonlySet<string> = new Set([
  'DISPUTE_OPENED',
  'DISPUTE_ASSIGNED',
  'DISPUTE_COMMENTED',
  'DISPUTE_EVIDENCE_ADDED',
  'DISPUTE_RESPONSE_EXTENDED',
  'DISPUTE_RESOLVED',
  'DISPUTE_RESOLVE_FAILED',
]);

function audited({ id, dispute }: Order, { action }: NewAuditEntry): AuditedResource {
  if (dispute === null || !disputeActions.has(action)) return { resourceType: 'Order' };
  return { resourceType: 'Dispute', resourceId: dispute.id, relatedIds: [id] };
}

/** Undefined for a saga without a deadline, and once the contract has paid. */
function abortOf(order: Order, commandId: MessageId): Event<'order.abort_requested' | 'escrow.abort_requested'> | undefined {
  const { activeRun } = order;
  if (activeRun === null || activeRun.saga === 'cancel' || hasPaidOut(order)) return undefined;
  if (activeRun.saga === 'reserve') return event(orderAbortRequested, { ...buyerFunds(order), commandId });
  const { sellerId: _sellerId, ...fields } = contractFields(order);
  return event(escrowAbortRequested, { ...fields, commandId });
}

/** Whether the contract has paid what the active run is about: the milestone in focus, or the whole order. */
export function hasPaidOut(order: Order): boolean {
  const milestone = focusedMilestone(order);
  if (milestone !== undefined) return milestone.contractPayout !== null || isPaid(milestone);
  return order.escrow !== null && isPaidOut(order.escrow);
}

/** escrow-adapter publishes escrow events too. Each service counts the versions of its own part. */
const ownPart = 'orders';

function partOf({ id, version, escrow, dispute }: Order, { aggregateType }: MessageDeclaration) {
  if (aggregateType === 'Escrow' && escrow !== null)
    return { aggregateId: escrow.id, aggregateVersion: escrow.version, aggregatePart: ownPart };
  if (aggregateType === 'Dispute' && dispute !== null) return { aggregateId: dispute.id, aggregateVersion: dispute.version };
  return { aggregateId: id, aggregateVersion: version };
}

function withNextVersion(order: Order, { aggregateType }: MessageDeclaration): Order {
  const { escrow, dispute } = order;
  if (aggregateType === 'Escrow' && escrow !== null) return { ...order, escrow: { ...escrow, version: escrow.version + 1 } };
  if (aggregateType === 'Dispute' && dispute !== null) return { ...order, dispute: { ...dispute, version: dispute.version + 1 } };
  return { ...order, version: order.version + 1 };
}

function buyerFunds({ id, buyerId, amount }: Order) {
  return { orderId: id, userId: buyerId, amount: formatMoney(amount), currency: amount.currency };
}

function cancellation(order: Order) {
  const reason = order.activeRun?.reason ?? null;
  return { ...buyerFunds(order), ...(reason === null ? {} : { reason }) };
}

function deployment(order: Order) {
  const title = order.title === '' ? genericTitle : order.title;
  return {
    ...contractFields(order),
    contractType: escrowOf(order).contractType,
    releaseMode: order.releaseMode,
    title,
    description: order.description ?? title,
    platformFeePercent: percentText(order.feeBasisPoints),
    milestones: milestonesOfContract(order, title),
  };
}

const genericTitle = 'Order';
const defaultMilestoneRef = 'order';

/** A contract needs at least one milestone. An order without milestones gets one that the API does not show. */
function milestonesOfContract({ milestones, amount }: Order, title: string) {
  if (milestones.length === 0) return [{ ref: defaultMilestoneRef, title, amount: formatMoney(amount) }];
  return milestones.map((milestone) => ({ ref: milestone.ref, title: milestone.title, amount: formatMoney(milestone.amount) }));
}

function settlement(order: Order) {
  const shares = plannedShares(order);
  if (shares === undefined) return undefined;
  return {
    ...contractFields(order),
    amount: formatMoney(amountToSettle(order)),
    ...(order.focus === null ? {} : { milestoneRef: order.focus.ref, cause: payoutCauseOf(order) }),
    decision: shares.decision,
    sellerAmount: formatMoney(shares.seller),
    buyerAmount: formatMoney(shares.buyer),
    platformFee: formatMoney(shares.fee),
  };
}

/** Only a whole order is refunded because nothing was delivered. */
function payoutCauseOf({ activeRun }: Order): 'review_period' | 'dispute' | null {
  const cause = activeRun?.cause ?? null;
  return cause === 'not_delivered' ? null : cause;
}

function contractFields(order: Order) {
  const { id, buyerId, sellerId, amount } = order;
  const { id: escrowId } = escrowOf(order);
  return { escrowId, orderId: id, buyerId, sellerId, amount: formatMoney(amount), currency: amount.currency };
}
