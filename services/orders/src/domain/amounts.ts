import { add, feeOf, isLess, money, subtract, type Money } from '@holdfast/kernel/money';
import { isFunded, isPaidOut } from './escrow.js';
import { focusedMilestone } from './focus.js';
import type { Milestone, Order } from './order.js';

/** Where the money of an order is. The last four add up to `funded`. */
export type Amounts = {
  readonly funded: Money;
  readonly released: Money;
  readonly refunded: Money;
  readonly disputed: Money;
  /** In escrow, and no dispute touches it. */
  readonly inEscrow: Money;
};

export function zeroAmount({ amount }: Pick<Order, 'amount'>): Money {
  return money(0n, amount.currency);
}

export function amountsOf(order: Order): Amounts {
  const nothing = zeroAmount(order);
  const isEverFunded = order.escrow !== null && (isFunded(order.escrow) || isPaidOut(order.escrow));
  const funded = isEverFunded ? order.amount : nothing;
  const { released, refunded } = paidOf(order);
  const left = subtract(subtract(funded, released), refunded);
  const disputed = order.status === 'DISPUTED' ? left : sumOf(order, disputedAmount);
  return { funded, released, refunded, disputed, inEscrow: subtract(left, disputed) };
}

/** What was paid out so far. Only an order that is paid milestone by milestone has it with its milestones. */
function paidOf(order: Order): { readonly released: Money; readonly refunded: Money } {
  const nothing = zeroAmount(order);
  if (order.releaseMode === 'milestone')
    return { released: sumOf(order, ({ released }) => released), refunded: sumOf(order, ({ refunded }) => refunded) };
  const resolution = order.closeReason === 'SPLIT' ? (order.dispute?.resolution ?? null) : null;
  if (resolution !== null) return { released: resolution.release, refunded: resolution.refund };
  if (order.escrow?.status === 'RELEASED') return { released: order.amount, refunded: nothing };
  if (order.escrow?.status === 'REFUNDED') return { released: nothing, refunded: order.amount };
  return { released: nothing, refunded: nothing };
}

function disputedAmount({ status, amount }: Milestone): Money {
  return status === 'DISPUTED' ? amount : money(0n, amount.currency);
}

function sumOf(order: Order, amountIn: (milestone: Milestone) => Money): Money {
  return order.milestones.map(amountIn).reduce(add, zeroAmount(order));
}

/** What a decision is about: the milestone in focus, or everything that was not paid out for single milestones. */
export function amountToSettle(order: Order): Money {
  const milestone = focusedMilestone(order);
  if (milestone !== undefined) return milestone.amount;
  const paid = add(
    sumOf(order, ({ released }) => released),
    sumOf(order, ({ refunded }) => refunded),
  );
  return subtract(order.amount, paid);
}

/**
 * The platform's share of a payment to the seller. It is the fee on all releases so far including this one, rounded down to the cent, less
 * what was charged so far. Releases that are still running count, so that two at once never charge too little.
 */
export function feeOnRelease(order: Order, toSeller: Money): Money {
  const others = order.milestones.filter(({ ref }) => ref !== order.focus?.ref);
  const nothing = zeroAmount(order);
  const released = others.map(releasedOrRunning).reduce(add, nothing);
  const charged = others.map(({ fee, activeRun }) => activeRun?.fee ?? fee).reduce(add, nothing);
  const inAll = feeOf(add(released, toSeller), order.feeBasisPoints);
  return isLess(inAll, charged) ? nothing : subtract(inAll, charged);
}

function releasedOrRunning({ released, amount, activeRun }: Milestone): Money {
  if (activeRun?.saga === 'release-milestone') return amount;
  return activeRun?.resolution?.release ?? released;
}
