import type { Context } from '@holdfast/kernel/context';
import { defaultMarketplaceId } from '@holdfast/kernel/ids';
import { baseCurrency, money } from '@holdfast/kernel/money';
import { unreadablePayment, type NewCase } from '../domain/case.js';
import { applyPayinUpdate, type UpdateResult } from './apply-payin-update.js';
import { applyPayoutUpdate } from './apply-payout-update.js';
import { openCase } from './open-case.js';
import type { Booking, Deps, PaymentRef, CompletedPayment } from './ports.js';
import type { Statement, StatementItem, UnreadableItem } from './provider-ports.js';

export type ReportContext = Pick<Context, 'requestId' | 'at' | 'log'> & { readonly signal: AbortSignal };

/** How the payments of one direction are compared. The sign follows the money: in is positive. */
type Direction = {
  readonly items: readonly StatementItem[];
  /** Payments that the statement has as well. */
  readonly unreadable: readonly UnreadableItem[];
  readonly sign: 1n | -1n;
  readonly origin: 'payins' | 'payouts';
  readonly noun: string;
  readonly booked: (items: readonly PaymentRef[]) => Promise<readonly Booking[]>;
  /** Applies an outcome that was not learned yet. */
  readonly learn: (item: StatementItem) => Promise<UpdateResult>;
  readonly settled: (after: string, limitMax: number) => Promise<readonly CompletedPayment[]>;
  /** The amount that the provider confirms now; undefined if it does not. */
  readonly confirmed: (providerId: string) => Promise<bigint | undefined>;
};

const pageMax = 500;

/**
 * Compares each payment of the statement with what is booked for it, and each booked one with the provider. Outcomes that were not
 * learned yet are applied; what nothing explains becomes a case. Returns whether nothing was in flight and nothing changed.
 */
export async function comparePayments(deps: Deps, statement: Statement, ctx: ReportContext): Promise<boolean> {
  const directions = [payinsOf(deps, statement, ctx), payoutsOf(deps, statement, ctx)];
  let isSettled = true;
  for (const direction of directions) {
    if (!(await compareStatement(deps, direction, ctx))) isSettled = false;
    if (!(await compareCompleted(deps, direction, ctx))) isSettled = false;
    await reportUnreadable(deps, direction, ctx);
  }
  return isSettled && !(await deps.bookings.hasActiveCases());
}

function payinsOf(deps: Deps, { payins, unreadable }: Statement, ctx: ReportContext): Direction {
  return {
    items: payins,
    unreadable: unreadable.filter(({ about }) => about === 'payin'),
    sign: 1n,
    origin: 'payins',
    noun: 'payment',
    booked: deps.bookings.ofPayins,
    learn: (item) => applyPayinUpdate(deps, { ...item, outcome: 'succeeded', reason: null }, ctx),
    settled: deps.bookings.succeededTopups,
    confirmed: async (providerId) => {
      const payin = await deps.provider.findPayin(providerId, { signal: ctx.signal });
      return payin?.outcome === 'succeeded' ? payin.amount?.units : undefined;
    },
  };
}

function payoutsOf(deps: Deps, { payouts, unreadable }: Statement, ctx: ReportContext): Direction {
  return {
    items: payouts,
    unreadable: unreadable.filter(({ about }) => about === 'payout'),
    sign: -1n,
    origin: 'payouts',
    noun: 'payout',
    booked: deps.bookings.ofPayouts,
    learn: (item) => applyPayoutUpdate(deps, { ...item, outcome: 'completed', reason: null }, ctx),
    settled: deps.bookings.completedWithdrawals,
    confirmed: async (providerId) => {
      const payout = await deps.provider.findPayout(providerId, { signal: ctx.signal });
      return payout?.outcome === 'completed' ? payout.amount?.units : undefined;
    },
  };
}

async function compareStatement(deps: Deps, direction: Direction, ctx: ReportContext): Promise<boolean> {
  let isSettled = true;
  for (let start = 0; start < direction.items.length; start += pageMax) {
    const items = direction.items.slice(start, start + pageMax);
    const bookings = byProviderId(await direction.booked(items));
    for (const item of items) {
      const booking = bookings.get(item.providerId);
      if (booking !== undefined && !booking.isInFlight && booking.bookedUnits === item.amount.units) continue;
      if (booking?.isInFlight === true || !(await explain(deps, direction, item, ctx))) isSettled = false;
    }
  }
  return isSettled;
}

/** The outcome may not be learned yet. If it was, the difference is a case. Returns whether there was nothing to do. */
async function explain(deps: Deps, direction: Direction, item: StatementItem, ctx: ReportContext): Promise<boolean> {
  if ((await direction.learn(item)) === 'applied') return false;
  const [booking] = await direction.booked([item]);
  if (booking?.isInFlight === true) return false;
  const missing = item.amount.units - (booking?.bookedUnits ?? 0n);
  if (missing === 0n) return true;
  const reason = `The payment provider has a ${direction.noun} that no operation of the platform explains.`;
  return openDifference(deps, { direction, providerId: item.providerId, booking, units: missing, reason }, ctx);
}

/** Payments that ended after the statement are not in it, so each that is missing is read at the provider. */
async function compareCompleted(deps: Deps, direction: Direction, ctx: ReportContext): Promise<boolean> {
  const stated = new Set([...direction.items, ...direction.unreadable].map(({ providerId }) => providerId));
  let isSettled = true;
  let after = '';
  for (;;) {
    const page = await direction.settled(after, pageMax);
    for (const { id, providerId } of page) {
      if (providerId !== null && stated.has(providerId)) continue;
      if (!(await isConfirmed(deps, direction, { id, providerId: providerId ?? id }, ctx))) isSettled = false;
    }
    const last = page.at(-1);
    if (last === undefined || page.length < pageMax) return isSettled;
    after = last.id;
  }
}

type Unconfirmed = { readonly id: string; readonly providerId: string };

/** False if the payment ended after the statement, is in flight, or has become a case. */
async function isConfirmed(deps: Deps, direction: Direction, payment: Unconfirmed, ctx: ReportContext): Promise<boolean> {
  const { id, providerId } = payment;
  if ((await direction.confirmed(providerId)) !== undefined) return false;
  const [booking] = await direction.booked([{ providerId, code: id }]);
  if (booking?.isInFlight === true) return false;
  if (booking === undefined || booking.bookedUnits === 0n) return true;
  const reason = `The payment provider does not confirm a ${direction.noun} that is booked.`;
  return openDifference(deps, { direction, providerId, booking, units: -booking.bookedUnits, reason }, ctx);
}

type Difference = {
  readonly direction: Direction;
  readonly providerId: string;
  readonly booking: Booking | undefined;
  /** What the provider has and the books lack, without the sign of the direction. */
  readonly units: bigint;
  readonly reason: string;
};

/**
 * A payment that was never requested has no known marketplace, so its case belongs to the default one. Returns true if there
 * is such a case already: the difference stays in the report.
 */
async function openDifference(deps: Deps, difference: Difference, ctx: ReportContext): Promise<boolean> {
  const { direction, providerId, booking, units, reason } = difference;
  const found: NewCase = {
    kind: 'unexplained_difference',
    marketplaceId: booking?.marketplaceId ?? defaultMarketplaceId,
    userId: booking?.userId ?? null,
    amount: money(units * direction.sign, baseCurrency),
    origin: direction.origin,
    source: 'payment_provider',
    sourceId: providerId,
    reason,
    relatedId: booking?.relatedId ?? null,
  };
  return !(await deps.inTransaction((tx) => openCase(tx, found, ctx)));
}

/** A person must look at what the provider has written; nothing is booked. */
async function reportUnreadable(deps: Deps, { booked, unreadable }: Direction, ctx: ReportContext): Promise<void> {
  const bookings = byProviderId(unreadable.length === 0 ? [] : await booked(unreadable));
  for (const { about, providerId } of unreadable) {
    const booking = bookings.get(providerId);
    const found: NewCase = {
      ...unreadablePayment(about, providerId),
      marketplaceId: booking?.marketplaceId ?? defaultMarketplaceId,
      userId: booking?.userId ?? null,
      relatedId: booking?.relatedId ?? null,
    };
    await deps.inTransaction((tx) => openCase(tx, found, ctx));
  }
}

function byProviderId(bookings: readonly Booking[]): ReadonlyMap<string, Booking> {
  return new Map(bookings.map((booking) => [booking.providerId, booking]));
}
