import type { Context } from '@holdfast/kernel/context';
import { parseMoney, type Currency } from '@holdfast/kernel/money';
import type { UserId } from '@holdfast/kernel/ids';
import { forOrderOrManual } from '../domain/reservations.js';
import type { BalanceAfter, Deps } from './ports.js';
import { postRequest } from './post-request.js';

export type ReserveFunds = {
  readonly userId: UserId;
  readonly amount: string;
  readonly currency: Currency;
  readonly orderId?: string | undefined;
  readonly reason?: string | undefined;
};

export function reserveFunds(deps: Deps, input: ReserveFunds, ctx: Context): Promise<BalanceAfter> {
  const { userId, currency, orderId, reason } = input;
  return postRequest(
    deps,
    {
      type: 'RESERVE',
      instruction: {
        does: 'reserve',
        userId,
        amount: parseMoney(input.amount, currency),
        reservedFor: forOrderOrManual(orderId),
        ...(reason === undefined ? {} : { reason }),
      },
      orderId,
      description: reason,
    },
    ctx,
  );
}
