import type { Context } from '@holdfast/shared/context';
import { parseMoney } from '@holdfast/shared/money';
import { holdNamedBy } from '../domain/reservations.js';
import type { BalanceAfter, Deps } from './ports.js';
import { postRequest } from './posting.js';
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
