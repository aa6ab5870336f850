import type { UserId } from '@holdfast/kernel/ids';
import type { Money } from '@holdfast/kernel/money';
import { externalAccount } from '../domain/accounts.js';
import type { CausedCredit } from './ports.js';

export type SeenDeposit = { readonly userId: UserId; readonly amount: Money; readonly operationId: string };

/**
 * The credit for a payment into a user's wallet. The message and the sync post the same one. Its cause is the operation on the
 * ledger network and not the message, so that the payment is credited once, whichever of the two comes first.
 */
export function creditOfDeposit({ userId, amount, operationId }: SeenDeposit): CausedCredit {
  return {
    type: 'DEPOSIT',
    description: 'Deposit',
    cause: `deposit:${operationId}`,
    instruction: {
      does: 'credit',
      userId,
      amount,
      from: externalAccount('deposits', amount.currency),
      source: 'ledger_deposit',
      sourceId: operationId,
      isReceived: true,
    },
  };
}
