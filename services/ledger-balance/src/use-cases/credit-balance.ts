import type { Context } from '@holdfast/kernel/context';
import { parseMoney, type Currency } from '@holdfast/kernel/money';
import type { UserId } from '@holdfast/kernel/ids';
import { externalAccount } from '../domain/accounts.js';
import type { BalanceAfter, Deps } from './ports.js';
import { postRequest } from './post-request.js';

export type CreditBalance = {
  readonly userId: UserId;
  readonly amount: string;
  readonly currency: Currency;
  readonly reference?: string | undefined;
  readonly description?: string | undefined;
};

export function creditBalance(deps: Deps, input: CreditBalance, ctx: Context): Promise<BalanceAfter> {
  const { userId, currency, reference, description } = input;
  return postRequest(
    deps,
    {
      type: 'CREDIT',
      instruction: {
        does: 'credit',
        userId,
        amount: parseMoney(input.amount, currency),
        from: externalAccount('manual', currency),
        source: 'manual',
        sourceId: reference,
      },
      reference,
      description,
    },
    ctx,
  );
}
