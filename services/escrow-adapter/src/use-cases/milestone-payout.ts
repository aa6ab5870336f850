import type { Instant } from '@holdfast/kernel/context';
import {
  escrowMilestoneSettled,
  escrowRefunded,
  escrowReleased,
  milestoneRefunded,
  milestoneReleased,
  type MessageDeclaration,
  type Payload,
} from '@holdfast/contracts/messages';
import { formatUnits, parseUnits } from '@holdfast/kernel/money';
import type { Contract } from '../domain/contract.js';

/** How one milestone was paid out. */
export type MilestonePayout = {
  readonly milestoneRef: string;
  readonly amount: string;
  readonly sellerAmount: string;
  readonly buyerAmount: string;
  readonly platformFee: string;
  readonly cause: Payload<typeof milestoneReleased>['cause'];
  readonly at: Instant;
};

/** The public events about the payout, in their order: what each side got, then the end of the escrow if it was the last milestone. */
export function payoutEvents(contract: Contract, payout: MilestonePayout) {
  const { escrowId, orderId, status } = contract;
  const { milestoneRef, sellerAmount, buyerAmount, platformFee, cause, at } = payout;
  const ofMilestone = { orderId, escrowId, milestoneRef };
  const released = { platformFee, netAmount: netOf(payout), releasedAt: at, cause };
  return [
    ...(isZero(sellerAmount) ? [] : [event(milestoneReleased, { ...ofMilestone, amount: sellerAmount, ...released })]),
    ...(isZero(buyerAmount) ? [] : [event(milestoneRefunded, { ...ofMilestone, amount: buyerAmount, refundedAt: at, cause })]),
    ...(status === 'SETTLED' ? [lastEvent(contract, payout)] : []),
  ];
}

/** The reply that the ledger books. */
export function payoutReply(contract: Contract, payout: MilestonePayout) {
  const { escrowId, orderId, amount, buyerId, sellerId } = contract;
  const { at: settledAt, cause: _cause, ...paid } = payout;
  const parties = { escrowId, orderId, currency: amount.currency, buyerId, sellerId };
  return event(escrowMilestoneSettled, { ...parties, ...paid, settledAt });
}

/** The end of the escrow, with the amounts of its last payout. */
function lastEvent(contract: Contract, payout: MilestonePayout) {
  const { escrowId, orderId, amount: total, buyerId, sellerId, milestonesSettled } = contract;
  const { amount, buyerAmount, platformFee, at } = payout;
  const ofEscrow = { escrowId, orderId, amount, currency: total.currency };
  if (milestonesSettled.every(({ decision }) => decision === 'REFUND'))
    return event(escrowRefunded, { ...ofEscrow, buyerId, refundedAt: at });
  const refund = isZero(buyerAmount) ? {} : { buyerId, refundAmount: buyerAmount };
  return event(escrowReleased, { ...ofEscrow, sellerId, platformFee, netAmount: netOf(payout), releasedAt: at, ...refund });
}

function event<M extends MessageDeclaration>(declaration: M, payload: Payload<M>) {
  return { declaration, payload };
}

function isZero(amount: string): boolean {
  return parseUnits(amount) === 0n;
}

function netOf({ sellerAmount, platformFee }: MilestonePayout): string {
  return formatUnits(parseUnits(sellerAmount) - parseUnits(platformFee));
}
