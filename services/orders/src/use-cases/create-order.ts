import type { Context } from '@holdfast/shared/context';
import { feeBasisPointsOf, platformFeePercentDefault, type OrderRecord } from '@holdfast/shared/contracts/http';
import { orderCreated, type UserType } from '@holdfast/shared/contracts/messages';
import { AppError } from '@holdfast/shared/errors';
import { isId, type UserId } from '@holdfast/shared/ids';
import type { KnownUser } from '@holdfast/shared/known-users';
import { formatMoney, formatUnits, parseMoney, type Currency, type Money } from '@holdfast/shared/money';
import { newOrder, type Metadata, type Order } from '../domain/order.js';
import { entered } from './audit.js';
import { event, tell, tellAudit } from './change.js';
import { originOfRequest } from './origin.js';
import type { Deps } from './ports.js';
import { recordOf } from './records.js';

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
};

export async function createOrder(deps: Deps, input: CreateOrder, ctx: Context): Promise<OrderRecord> {
  const [buyer, seller] = await Promise.all([demandUser(deps, input.buyerId, ctx), demandUser(deps, input.sellerId, ctx)]);
  demandFittingTypes(buyer, seller);
  for (const { id, status } of [buyer, seller]) {
    if (status !== 'ACTIVE') throw new AppError('USER_NOT_ACTIVE', { userId: id });
  }
  const amount = parseMoney(input.amount, input.currency);
  demandWithinLimits(deps, amount);
  const order = orderOf(deps, { input, buyer, seller, amount }, ctx);
  return recordOf(
    await deps.inTransaction(async (tx) => {
      const origin = originOfRequest(ctx);
      const told = tell(tx, order, [event(orderCreated, createdFacts(order))], origin);
      const keptId = await tx.orders.insert(told);
      if (keptId !== order.id) throw new AppError('CLIENT_ORDER_REF_EXISTS', { orderId: keptId });
      for (const note of entered(null, [order.status])) tellAudit(tx, told, note, origin);
      return told;
    }),
  );
}

async function demandUser(deps: Deps, userId: string, { caller, requestId }: Context): Promise<KnownUser> {
  if (!isId(userId, 'usr')) throw new AppError('USER_NOT_FOUND', { userId });
  return deps.users.demand({ marketplaceId: caller.marketplaceId, userId, requestId });
}

function demandFittingTypes(buyer: KnownUser, seller: KnownUser): void {
  const faults = [...typeFaults(buyer, 'buyerId', 'BUYER'), ...typeFaults(seller, 'sellerId', 'SELLER')];
  if (faults.length > 0) throw new AppError('VALIDATION_ERROR', { validationErrors: faults });
}

function typeFaults({ type }: KnownUser, field: string, wanted: UserType): readonly string[] {
  return type === wanted || type === 'BOTH' ? [] : [`${field} must be a user of type ${wanted} or BOTH`];
}

function demandWithinLimits({ amountLimits }: Deps, { units, currency }: Money): void {
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

function orderOf(deps: Deps, { input, buyer, seller, amount }: Given, ctx: Context): Order {
  const { title = '', description = null, clientOrderRef = null, metadata = {}, milestones = [], currency } = input;
  return newOrder(
    {
      id: deps.newId('ord'),
      marketplaceId: ctx.caller.marketplaceId,
      clientOrderRef,
      buyerId: buyer.id,
      sellerId: seller.id,
      amount,
      title,
      description,
      metadata,
      feeBasisPoints: feeBasisPointsOf(metadata['platformFee']) ?? feeBasisPointsDefault,
      milestones: milestones.map((milestone) => ({ ...milestone, amount: parseMoney(milestone.amount, currency) })),
    },
    ctx.at,
  );
}

function createdFacts({ id, buyerId, sellerId, amount, title, description, clientOrderRef }: Order) {
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
