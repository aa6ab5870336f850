import { add, isLess, subtract, type Money } from '@holdfast/kernel/money';
import { amountToSettle, feeOnRelease, zeroAmount } from './amounts.js';
import type { ActiveRun, DisputeDecision, Order, Resolution } from './order.js';

/** How a contract is paid out: the shares of seller and buyer before the fee, and the fee, which the seller pays. */
export type PayoutShares = {
  readonly decision: 'RELEASE' | 'REFUND' | 'SPLIT';
  readonly seller: Money;
  readonly buyer: Money;
  readonly fee: Money;
};

/** What the ledger paid. The seller's share is net of the fee. */
export type Paid = { readonly seller: Money; readonly buyer: Money; readonly fee: Money };

export function allToSeller(order: Order): PayoutShares {
  const amount = amountToSettle(order);
  return { decision: 'RELEASE', seller: amount, buyer: zeroAmount(order), fee: feeOnRelease(order, amount) };
}

/** A refund has no fee. */
function allToBuyer(order: Order): PayoutShares {
  return { decision: 'REFUND', seller: zeroAmount(order), buyer: amountToSettle(order), fee: zeroAmount(order) };
}

export function sharesOfResolution(order: Order, { decision, release, refund }: Resolution): PayoutShares {
  if (decision === 'FULL_RELEASE') return allToSeller(order);
  if (decision === 'FULL_REFUND') return allToBuyer(order);
  return { decision: 'SPLIT', seller: release, buyer: refund, fee: feeOnRelease(order, release) };
}

/** The shares that the active run pays out. Undefined if the run settles nothing. */
export function plannedShares(order: Order): PayoutShares | undefined {
  const { activeRun } = order;
  const shares = activeRun === null ? undefined : sharesOfRun(order, activeRun);
  const fee = activeRun?.fee ?? null;
  return shares === undefined || fee === null ? shares : { ...shares, fee };
}

function sharesOfRun(order: Order, { saga, resolution }: ActiveRun): PayoutShares | undefined {
  if (saga === 'release' || saga === 'release-milestone') return allToSeller(order);
  if (saga === 'refund' || saga === 'refund-milestone') return allToBuyer(order);
  return resolution === null ? undefined : sharesOfResolution(order, resolution);
}

export function isPaidAsPlanned(planned: PayoutShares, paid: Paid): boolean {
  return subtract(planned.seller, planned.fee).units === paid.seller.units && planned.buyer.units === paid.buyer.units;
}

/** The shares of a payout that none of our runs requested. */
export function sharesOfPaid(paid: Paid): PayoutShares {
  return sharesOf({ seller: add(paid.seller, paid.fee), buyer: paid.buyer, fee: paid.fee });
}

/** What the shares of seller and buyer amount to. */
export function sharesOf({ seller, buyer, fee }: Omit<PayoutShares, 'decision'>): PayoutShares {
  const isToSeller = seller.units > 0n;
  const isToBuyer = buyer.units > 0n;
  const decision = isToSeller && isToBuyer ? 'SPLIT' : isToSeller ? 'RELEASE' : 'REFUND';
  return { decision, seller, buyer, fee };
}

const decisions = { RELEASE: 'FULL_RELEASE', REFUND: 'FULL_REFUND', SPLIT: 'SPLIT' } as const satisfies Record<
  PayoutShares['decision'],
  DisputeDecision
>;

export function resolutionOfShares({ decision, seller, buyer }: PayoutShares): Resolution {
  return { decision: decisions[decision], release: seller, refund: buyer, note: null };
}

/** Whether both shares are zero or more and add up to the amount in dispute. */
export function isFullSplit(order: Order, release: Money, refund: Money): boolean {
  const nothing = zeroAmount(order);
  if (isLess(release, nothing) || isLess(refund, nothing)) return false;
  return add(release, refund).units === amountToSettle(order).units;
}
