import type { Context } from '@holdfast/kernel/context';
import type { balanceEscrowSettled, Envelope, escrowMilestoneSettled, Payload } from '@holdfast/contracts/messages';
import type { Published } from '@holdfast/contracts/sagas';
import { parseMoney } from '@holdfast/kernel/money';
import { applyChange, endRun, type Failure, type NewAuditEntry, type RunEnd } from '@holdfast/sagas';
import { isUnresolved, resolved } from '../domain/dispute.js';
import { focusedMilestone, focusOn, unfocused, withMilestone } from '../domain/focus.js';
import { isPaid } from '../domain/milestone-states.js';
import { isEveryMilestonePaid, paidMilestone } from '../domain/milestones.js';
import type { LedgerPayout, Milestone, MilestonePayout, Order } from '../domain/order.js';
import { plannedShares, resolutionOfShares, sharesOf, type PayoutShares } from '../domain/payout-shares.js';
import { settledByMilestones } from '../domain/settlement.js';
import { logRunEnded } from './end-run.js';
import { handleOrderMessage } from './handle-reply.js';
import { orderKind } from './order-kind.js';
import { ledgerNetworkActor, originOfMessage } from './origin.js';
import type { Deps, UnitOfWork } from './ports.js';
import {
  closingEntries,
  closingEvents,
  requireFunded,
  resolvedEntries,
  resolvedEvents,
  type SettlementEvent,
} from './settle-order.js';

type MilestoneSettled = Envelope<Payload<typeof escrowMilestoneSettled>>;
type LedgerSettled = Envelope<Payload<typeof balanceEscrowSettled>>;

/** The contract has paid a milestone: its point of no return. The milestone is paid once the ledger has paid too. */
export function handleMilestoneSettled(deps: Deps, message: MilestoneSettled, ctx: Context): Promise<Published<SettlementEvent>> {
  const { orderId, escrowId, milestoneRef, sellerAmount, buyerAmount, platformFee, settledAt } = message.payload;
  const contractPayout = { seller: sellerAmount, buyer: buyerAmount, fee: platformFee, settledAt };
  return onMilestone(deps, { message, orderId, milestoneRef }, ctx, (order, milestone) =>
    order.escrow?.id !== escrowId || milestone.contractPayout !== null ? undefined : { ...milestone, contractPayout },
  );
}

/** The ledger has paid a milestone. */
export function handleMilestonePaidByLedger(
  deps: Deps,
  message: LedgerSettled,
  ctx: Context,
): Promise<Published<SettlementEvent>> {
  const { afterEventId, payload } = message;
  const { orderId, milestoneRef, fee, payouts } = payload;
  const ledgerPayout = { fee, payouts, ...(afterEventId === undefined ? {} : { afterEventId }) };
  return onMilestone(deps, { message, orderId, milestoneRef }, ctx, (_, milestone) =>
    milestone.ledgerPayout === null ? { ...milestone, ledgerPayout } : undefined,
  );
}

type Report = { readonly message: Envelope; readonly orderId: string; readonly milestoneRef: string | undefined };

/** Records one of the two messages with the milestone, which `record` returns; undefined ignores the message. */
function onMilestone(
  deps: Deps,
  { message, orderId, milestoneRef }: Report,
  ctx: Context,
  record: (order: Order, milestone: Milestone) => Milestone | undefined,
): Promise<Published<SettlementEvent>> {
  return handleOrderMessage(deps, { message, orderId }, ctx, (tx, found) => {
    const order = milestoneRef === undefined ? found : focusOn(found, milestoneRef);
    const milestone = focusedMilestone(order);
    const recorded = milestone === undefined || isPaid(milestone) ? undefined : record(order, milestone);
    if (recorded === undefined) return undefined;
    requireFunded(order);
    const updated = { ...order, milestones: withMilestone(order, recorded) };
    return settleWhenComplete(tx, order, { updated, milestone: recorded }, { message, ctx });
  });
}

type Recorded = { readonly updated: Order; readonly milestone: Milestone };
type Delivery = { readonly message: Envelope; readonly ctx: Context };

/** Ends the milestone once both messages have arrived, in either order, and the order with its last milestone. */
function settleWhenComplete(
  tx: UnitOfWork,
  before: Order,
  { updated, milestone }: Recorded,
  { message, ctx }: Delivery,
): Published<SettlementEvent> | undefined {
  const { contractPayout, ledgerPayout } = milestone;
  if (contractPayout === null || ledgerPayout === null) {
    const change = { after: updated, events: [], auditEntries: [] };
    applyChange(tx, orderKind, before, { change, origin: originOfMessage(message, ctx, before) });
    return undefined;
  }
  const { runEnd, initiatingRun } = runEndOf(updated, { milestone, contractPayout, ledgerPayout }, ctx);
  const origin = originOfMessage(message, ctx, { activeRun: initiatingRun });
  const { afterEventId } = ledgerPayout;
  const ledgerOrigin = afterEventId === undefined ? origin : { ...origin, afterEventId, causationId: afterEventId };
  const after = endRun(tx, orderKind, before, { change: runEnd, origin: ledgerOrigin });
  logRunEnded(ctx, before, after);
  return {};
}

type Payouts = {
  readonly milestone: Milestone;
  readonly contractPayout: MilestonePayout;
  readonly ledgerPayout: LedgerPayout;
};

type End = { readonly runEnd: RunEnd<Order, SettlementEvent>; readonly initiatingRun: Order['activeRun'] };

/** What the contract has paid decides; an active run with another goal fails. */
function runEndOf(order: Order, { milestone, contractPayout, ledgerPayout }: Payouts, { at }: Context): End {
  const shares = sharesIn(order, contractPayout);
  const planned = plannedShares(order);
  const isAsPlanned = planned !== undefined && isSamePayout(planned, shares);
  const initiatingRun = isAsPlanned ? order.activeRun : null;
  const paid = withPaid(order, { milestone, shares, settledAt: contractPayout.settledAt, initiatingRun, at });
  const isLast = isToBeClosed(paid);
  const after = isLast ? settledByMilestones(paid, at) : paid;
  const runEnd = {
    after,
    events: [...resolvedEvents(order, after), ...(isLast ? closingEvents(after, { shares, ledgerPayout, at }) : [])],
    auditEntries: [
      ...resolvedEntries(order, after),
      ...paidEntries(milestone, shares, initiatingRun?.reason ?? null),
      ...(isLast ? closingEntries(order, after) : []),
    ],
  };
  if (isAsPlanned || order.activeRun === null) return { runEnd, initiatingRun };
  return { runEnd: { ...runEnd, failure: paidMeanwhile(unfocused(after), milestone.ref) }, initiatingRun };
}

/** A run on the whole order ends first: the adapter has nothing left to pay for it, and its failure closes the order. */
function isToBeClosed(order: Order): boolean {
  return isEveryMilestonePaid(order) && order.focus?.orderRun === null;
}

function sharesIn({ amount: { currency } }: Order, { seller, buyer, fee }: MilestonePayout): PayoutShares {
  return sharesOf({ seller: parseMoney(seller, currency), buyer: parseMoney(buyer, currency), fee: parseMoney(fee, currency) });
}

function isSamePayout(one: PayoutShares, other: PayoutShares): boolean {
  return one.seller.units === other.seller.units && one.buyer.units === other.buyer.units;
}

type PaidOut = {
  readonly milestone: Milestone;
  readonly shares: PayoutShares;
  readonly settledAt: string;
  readonly initiatingRun: Order['activeRun'];
  readonly at: Context['at'];
};

/** The order with its milestone paid, and the dispute about it resolved. */
function withPaid(order: Order, { milestone, shares, settledAt, initiatingRun, at }: PaidOut): Order {
  const resolution = initiatingRun?.resolution ?? resolutionOfShares(shares);
  const resolvedBy = initiatingRun?.requestedBy ?? ledgerNetworkActor.id;
  return {
    ...order,
    milestones: withMilestone(order, paidMilestone(milestone, shares, settledAt)),
    dispute: isUnresolved(order.dispute) ? resolved(order.dispute, { resolution, resolvedBy, at }) : order.dispute,
  };
}

function paidEntries({ ref, status }: Milestone, shares: PayoutShares, reason: string | null): readonly NewAuditEntry[] {
  const before = { milestoneRef: ref, status };
  const entryOf = (action: string, to: string): NewAuditEntry => ({
    action,
    reason,
    before,
    after: { milestoneRef: ref, status: to },
  });
  const end = { RELEASE: 'RELEASED', REFUND: 'REFUNDED', SPLIT: 'SPLIT' }[shares.decision];
  return [
    ...(shares.decision === 'REFUND' ? [] : [entryOf('MILESTONE_RELEASED', end)]),
    ...(shares.decision === 'RELEASE' ? [] : [entryOf('MILESTONE_REFUNDED', end)]),
  ];
}

/** The outcome of a run with another goal than what was paid. */
function paidMeanwhile(order: Order, ref: string): Failure {
  const status = order.milestones.find((milestone) => milestone.ref === ref)?.status;
  return { code: 'INVALID_STATE', details: { currentStatus: status ?? order.status, milestoneRef: ref } };
}
