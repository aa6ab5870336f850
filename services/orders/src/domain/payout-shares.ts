import { add, feeOf, isLess, money, subtract, type Money } from '@holdfast/kernel/money';
import type { DisputeDecision, Order, Resolution } from './order.js';

/** How a contract is paid out: the shares of seller and buyer before the fee, and the fee, which the seller pays. */
export type PayoutShares = {
  readonly decision: 'RELEASE' | 'REFUND' | 'SPLIT';
  readonly seller: Money;
  readonly buyer: Money;
  readonly fee: Money;
};

/** What the ledger paid. The seller's share is net of the fee. */
export type Paid = { readonly seller: Money; readonly buyer: Money; readonly fee: Money };

export function zeroAmount({ amount }: Pick<Order, 'amount'>): Money {
  return money(0n, amount.currency);
}

function allToSeller(order: Order): PayoutShares {
  return { decision: 'RELEASE', seller: order.amount, buyer: zeroAmount(order), fee: feeOf(order.amount, order.feeBasisPoints) };
}

/** A refund has no fee. */
function allToBuyer(order: Order): PayoutShares {
  return { decision: 'REFUND', seller: zeroAmount(order), buyer: order.amount, fee: zeroAmount(order) };
}

export function sharesOfResolution(order: Order, { decision, release, refund }: Resolution): PayoutShares {
  if (decision === 'FULL_RELEASE') return allToSeller(order);
  if (decision === 'FULL_REFUND') return allToBuyer(order);
  return { decision: 'SPLIT', seller: release, buyer: refund, fee: feeOf(release, order.feeBasisPoints) };
}

/** The shares that the active run pays out. Undefined if the run settles nothing. */
export function plannedShares(order: Order): PayoutShares | undefined {
  const { activeRun } = order;
  if (activeRun?.saga === 'release') return allToSeller(order);
  if (activeRun?.saga === 'refund') return allToBuyer(order);
  if (activeRun?.saga !== 'resolve-dispute' || activeRun.resolution === null) return undefined;
  return sharesOfResolution(order, activeRun.resolution);
}

export function isPaidAsPlanned(planned: PayoutShares, paid: Paid): boolean {
  return subtract(planned.seller, planned.fee).units === paid.seller.units && planned.buyer.units === paid.buyer.units;
}

/** The shares of a payout that no run of ours requested. */
export function sharesOfPaid(paid: Paid): PayoutShares {
  const seller = add(paid.seller, paid.fee);
  const isToSeller = seller.units > 0n;
  const isToBuyer = paid.buyer.units > 0n;
  const decision = isToSeller && isToBuyer ? 'SPLIT' : isToSeller ? 'RELEASE' : 'REFUND';
  return { decision, seller, buyer: paid.buyer, fee: paid.fee };
}

const decisions = { RELEASE: 'FULL_RELEASE', REFUND: 'FULL_REFUND', SPLIT: 'SPLIT' } as const satisfies Record<
  PayoutShares['decision'],
  DisputeDecision
>;

export function resolutionOfShares({ decision, seller, buyer }: PayoutShares): Resolution {
  return { decision: decisions[decision], release: seller, refund: buyer, note: null };
}

/** Whether both shares are zero or more and add up to the amount of the order. */
export function isFullSplit({ amount }: Pick<Order, 'amount'>, release: Money, refund: Money): boolean {
  if (isLess(release, zeroAmount({ amount })) || isLess(refund, zeroAmount({ amount }))) return false;
  return add(release, refund).units === amount.units;
}
