import type { Context } from '@holdfast/kernel/context';
import { AppError } from '@holdfast/kernel/errors';
import type { Currency } from '@holdfast/kernel/money';
import type { UserId } from '@holdfast/kernel/ids';
import { forOrder } from '../domain/reservations.js';
import { userLookup } from './user-lookup.js';
import type { BalanceAfter, Deps } from './ports.js';
import { postRequest } from './post-request.js';

export type CancelReservation = { readonly userId: UserId; readonly orderId: string; readonly reason?: string | undefined };

/**
 * Frees every active reservation of the order. An order has one currency, but a client may have reserved several currencies
 * under its id. Then each is freed, and the response shows the balance of the first.
 */
export async function cancelReservation(deps: Deps, input: CancelReservation, ctx: Context): Promise<BalanceAfter> {
  await deps.users.require(userLookup(ctx, input.userId));
  const currencies = await deps.balances.reservedCurrencies(input.userId, input.orderId);
  const settled = await Promise.allSettled(currencies.map((currency) => cancelIn(deps, input, currency, ctx)));
  const freed = settled.find((result) => result.status === 'fulfilled');
  if (freed !== undefined) return freed.value;
  const failed = settled.find((result) => result.status === 'rejected');
  throw failed?.reason ?? new AppError('RESERVATION_NOT_FOUND', { orderId: input.orderId });
}

function cancelIn(
  deps: Deps,
  { userId, orderId, reason }: CancelReservation,
  currency: Currency,
  ctx: Context,
): Promise<BalanceAfter> {
  return postRequest(
    deps,
    {
      type: 'RELEASE',
      instruction: {
        does: 'free-all',
        userId,
        currency,
        reservedFor: forOrder(orderId),
        reason: reason ?? 'reservation_canceled',
        whenNothing: 'refuse',
      },
      orderId,
      description: reason,
    },
    // Each currency gets its own operation id, else the second would be taken for a repeat of the first.
    ctx.operationId === undefined ? ctx : { ...ctx, operationId: `${ctx.operationId}/${currency}` },
  );
}
