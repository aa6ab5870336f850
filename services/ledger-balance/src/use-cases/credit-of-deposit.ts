import type { UserId } from '@holdfast/kernel/ids';
import type { Money } from '@holdfast/kernel/money';
import { externalAccount } from '../domain/accounts.js';
import type { Posting } from './ports.js';

export type SeenDeposit = { readonly userId: UserId; readonly amount: Money; readonly operationId: string };

/** The credit for a payment into a user's wallet. The message and the sync post the same one. */
export function creditOfDeposit({ userId, amount, operationId }: SeenDeposit): Pick<Posting, 'type' | 'instruction'> {
  return {
    type: 'DEPOSIT',
    instruction: {
      does: 'credit',
      userId,
      amount,
      from: externalAccount('deposits', amount.currency),
      source: 'ledger_deposit',
      sourceId: operationId,
    },
  };
}
