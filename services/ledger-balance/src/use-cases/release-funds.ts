import type { Context } from '@holdfast/kernel/context';
import { parseMoney } from '@holdfast/kernel/money';
import { holdNamedBy } from '../domain/reservations.js';
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
        does: 'release',
        userId,
        amount: parseMoney(input.amount, currency),
        hold: holdNamedBy(orderId),
        reason: reason ?? 'released',
        exceeded: 'RESERVATION_EXCEEDED',
      },
      orderId,
      description: reason,
    },
    ctx,
  );
}
