import type { Context, Instant } from '@holdfast/kernel/context';
import { feeBasisPointsOf, platformFeePercentDefault } from '@holdfast/contracts/http';
import { orderCreated, type UserType } from '@holdfast/contracts/messages';
import { AppError, isAppError } from '@holdfast/kernel/errors';
import type { Duration } from '@holdfast/kernel/instants';
import { isId, type OrderId, type UserId } from '@holdfast/kernel/ids';
import type { KnownUser } from '@holdfast/service-kit/known-users';
import { formatMoney, formatUnits, parseMoney, type Currency, type Money } from '@holdfast/kernel/money';
import { applyChange, event, type Origin } from '@holdfast/sagas';
import { realTime, timeBy, type MarketplaceClock } from '../domain/marketplace-clock.js';
import { requireDeliverBy } from '../domain/milestones.js';
import { newOrder, type Metadata, type NotDeliveredRule, type Order, type ReleaseMode } from '../domain/order.js';
import { statusEntries } from './audit.js';
import { orderKind } from './order-kind.js';
import type { NewOrderFacts, Deps, UnitOfWork } from './ports.js';

export type CreateOrder = {
  readonly buyerId: string;
  readonly sellerId: string;
  readonly amount: string;
  readonly currency: Currency;
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  readonly clientOrderRef?: string | undefined;
  readonly metadata?: Metadata | undefined;
  readonly milestones?: readonly { readonly ref: string; readonly title: string; readonly amount: string }[] | undefined;
  readonly releaseMode?: ReleaseMode | undefined;
  readonly reviewPeriod?: Duration | undefined;
  readonly deliverBy?: Instant | undefined;
  readonly onNotDelivered?: NotDeliveredRule | undefined;
};

/** The order that a request describes, if its parties may trade and its amount is within the limits. */
export function buildOrder(deps: Deps, { id, input, facts, clock = realTime }: RequestedOrder, ctx: Context): Order {
  requireDeliverBy(input.deliverBy ?? null, timeBy(clock, ctx.at));
  return orderOf(id, checked(deps, input, facts), ctx);
}

type RequestedOrder = {
  readonly id: OrderId;
  readonly input: CreateOrder;
  readonly facts: NewOrderFacts;
  /** The time of the marketplace; only a delivery date needs it. */
  readonly clock?: MarketplaceClock;
};

type Parties = { readonly userIds: readonly UserId[]; readonly ctx: Context };

/** A party may be newer than this service's copy of the users, so they are fetched from identity before a second attempt. */
export async function withKnownUsers<T>(deps: Deps, { userIds, ctx }: Parties, create: () => Promise<T>): Promise<T> {
  try {
    return await create();
  } catch (error) {
    if (!isAppError(error, 'USER_NOT_FOUND')) throw error;
  }
  const { marketplaceId } = ctx.caller;
  for (const userId of userIds) await deps.users.require({ marketplaceId, userId, requestId: ctx.requestId });
  return create();
}

export function userIdOf(userId: string): UserId {
  if (!isId(userId, 'usr')) throw new AppError('USER_NOT_FOUND', { userId });
  return userId;
}

export function insertOrder(tx: UnitOfWork, order: Order, origin: Origin): Order {
  const events = [event(orderCreated, createdPayload(order))];
  const change = { after: order, events, auditEntries: statusEntries(null, [order.status]) };
  return applyChange(tx, newOrderKind, order, { change, origin });
}

const newOrderKind: typeof orderKind = { ...orderKind, save: (tx, order) => tx.orders.insert(order) };

/** Checks in the order of the specification. */
function checked(deps: Deps, input: CreateOrder, { users }: NewOrderFacts): Given {
  const [buyer, seller] = [knownUser(users, input.buyerId), knownUser(users, input.sellerId)];
  requireUserTypes(buyer, seller);
  for (const { id, status } of [buyer, seller]) {
    if (status !== 'ACTIVE') throw new AppError('USER_NOT_ACTIVE', { userId: id });
  }
  const amount = parseMoney(input.amount, input.currency);
  requireWithinLimits(deps, amount);
  return { input, buyer, seller, amount };
}

function knownUser(users: readonly KnownUser[], userId: string): KnownUser {
  const user = users.find(({ id }) => id === userId);
  if (user === undefined) throw new AppError('USER_NOT_FOUND', { userId });
  return user;
}

function requireUserTypes(buyer: KnownUser, seller: KnownUser): void {
  const faults = [...typeFaults(buyer, 'buyerId', 'BUYER'), ...typeFaults(seller, 'sellerId', 'SELLER')];
  if (faults.length > 0) throw new AppError('VALIDATION_ERROR', { validationErrors: faults });
}

function typeFaults({ type }: KnownUser, field: string, wanted: UserType): readonly string[] {
  return type === wanted || type === 'BOTH' ? [] : [`${field} must be a user of type ${wanted} or BOTH`];
}

function requireWithinLimits({ amountLimits }: Deps, { units, currency }: Money): void {
  const { minUnits, maxUnits } = amountLimits;
  if (units >= minUnits && units <= maxUnits) return;
  throw new AppError('LIMIT_EXCEEDED', {
    amount: formatUnits(units),
    min: formatUnits(minUnits),
    max: formatUnits(maxUnits),
    currency,
  });
}

type Given = {
  readonly input: CreateOrder;
  readonly buyer: { readonly id: UserId };
  readonly seller: { readonly id: UserId };
  readonly amount: Money;
};

const feeBasisPointsDefault = BigInt(platformFeePercentDefault * 100);

function orderOf(id: OrderId, { input, buyer, seller, amount }: Given, ctx: Context): Order {
  const { title = '', description = null, clientOrderRef = null, metadata = {}, milestones = [], currency } = input;
  return newOrder(
    {
      id,
      marketplaceId: ctx.caller.marketplaceId,
      clientOrderRef,
      buyerId: buyer.id,
      sellerId: seller.id,
      amount,
      title,
      description,
      metadata,
      feeBasisPoints: feeBasisPointsOf(metadata['platformFee']) ?? feeBasisPointsDefault,
      ...payoutTermsOf(input),
      milestones: milestones.map((milestone) => ({ ...milestone, amount: parseMoney(milestone.amount, currency) })),
    },
    ctx.at,
  );
}

/** How and when the order is paid out. */
function payoutTermsOf({ releaseMode = 'order', reviewPeriod, deliverBy, onNotDelivered = 'none' }: CreateOrder) {
  return { releaseMode, reviewPeriod: reviewPeriod ?? null, deliverBy: deliverBy ?? null, onNotDelivered };
}

function createdPayload({ id, buyerId, sellerId, amount, title, description, clientOrderRef }: Order) {
  return {
    orderId: id,
    buyerId,
    sellerId,
    amount: formatMoney(amount),
    currency: amount.currency,
    title,
    ...(description === null ? {} : { description }),
    ...(clientOrderRef === null ? {} : { clientOrderRef }),
  };
}
