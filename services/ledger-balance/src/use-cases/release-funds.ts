import type { Context } from '@holdfast/kernel/context';
import { parseMoney } from '@holdfast/kernel/money';
import { forOrderOrManual } from '../domain/reservations.js';
import type { BalanceAfter, Deps } from './ports.js';
import { postRequest } from './post-request.js';
import type { ReserveFunds } from './reserve-funds.js';

export function releaseFunds(deps: Deps, input: ReserveFunds, ctx: Context): Promise<BalanceAfter> {
  const { userId, currency, orderId, reason } = input;
  return postRequest(
    deps,
    {
      type: 'RELEASE',
      instruction: {
        does: 'free',
        userId,
        amount: parseMoney(input.amount, currency),
        reservedFor: forOrderOrManual(orderId),
        reason: reason ?? 'released',
        exceeded: 'RESERVATION_EXCEEDED',
      },
      orderId,
      description: reason,
    },
    ctx,
  );
}
