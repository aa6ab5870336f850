import type { Context } from '@holdfast/kernel/context';
import { parseMoney } from '@holdfast/kernel/money';
import { externalAccount } from '../domain/accounts.js';
import { forOrderOrManual } from '../domain/reservations.js';
import type { BalanceAfter, Deps } from './ports.js';
import { postRequest } from './post-request.js';
import type { ReserveFunds } from './reserve-funds.js';

export function deductReserved(deps: Deps, input: ReserveFunds, ctx: Context): Promise<BalanceAfter> {
  const { userId, currency, orderId, reason } = input;
  return postRequest(
    deps,
    {
      type: 'DEDUCT',
      instruction: {
        does: 'deduct',
        userId,
        amount: parseMoney(input.amount, currency),
        reservedFor: forOrderOrManual(orderId),
        to: externalAccount('manual', currency),
        reason: reason ?? 'deducted',
        exceeded: 'INVALID_RESERVED_DEDUCTION',
      },
      orderId,
      description: reason,
    },
    ctx,
  );
}
