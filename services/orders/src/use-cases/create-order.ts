import type { Context } from '@holdfast/kernel/context';
import type { OrderRecord } from '@holdfast/contracts/http';
import { AppError } from '@holdfast/kernel/errors';
import { originOfRequest } from '@holdfast/sagas';
import { realTime } from '../domain/marketplace-clock.js';
import { buildOrder, insertOrder, userIdOf, withKnownUsers, type CreateOrder } from './new-order.js';
import type { Deps } from './ports.js';
import { recordOf } from './records.js';

export function createOrder(deps: Deps, input: CreateOrder, ctx: Context): Promise<OrderRecord> {
  const { marketplaceId } = ctx.caller;
  const userIds = [userIdOf(input.buyerId), userIdOf(input.sellerId)];
  const id = deps.newId('ord');
  const { clientOrderRef = null, deliverBy } = input;
  const key = { id, marketplaceId, userIds, clientOrderRef, whenCommitted: recordOf };
  return withKnownUsers(deps, { userIds, ctx }, async () => {
    const clock = deliverBy === undefined ? realTime : await deps.testClocks.find(marketplaceId);
    return deps.onNewOrder(key, (tx, facts) => {
      const order = buildOrder(deps, { id, input, facts, clock }, ctx);
      if (facts.takenBy !== undefined) throw new AppError('CLIENT_ORDER_REF_EXISTS', { orderId: facts.takenBy });
      return recordOf(insertOrder(tx, order, originOfRequest(ctx)));
    });
  });
}
