import type { Context } from '@holdfast/kernel/context';
import { parseMoney } from '@holdfast/kernel/money';
import { externalAccount } from '../domain/accounts.js';
import type { CreditBalance } from './credit-balance.js';
import type { BalanceAfter, Deps } from './ports.js';
import { postRequest } from './post-request.js';

export function debitBalance(deps: Deps, input: CreditBalance, ctx: Context): Promise<BalanceAfter> {
  const { userId, currency, reference, description } = input;
  return postRequest(
    deps,
    {
      type: 'DEBIT',
      instruction: {
        does: 'debit',
        userId,
        amount: parseMoney(input.amount, currency),
        to: externalAccount('manual', currency),
        destination: 'manual',
        ...(reference === undefined ? {} : { destinationId: reference }),
      },
      reference,
      description,
    },
    ctx,
  );
}
