import type { TopupId, UserId } from '@holdfast/kernel/ids';
import type { Money } from '@holdfast/kernel/money';
import { externalAccount } from '../domain/accounts.js';
import type { CausedCredit } from './ports.js';

type ReceivedTopup = { readonly userId: UserId; readonly amount: Money; readonly topupId: TopupId };

/** The credit for a top-up. Its cause is the top-up and not the message, so that no second run and no sync can credit it again. */
export function creditOfTopup({ userId, amount, topupId }: ReceivedTopup): CausedCredit {
  return {
    type: 'TOPUP',
    cause: `topup:${topupId}`,
    reference: topupId,
    description: 'Top-up',
    instruction: {
      does: 'credit',
      userId,
      amount,
      from: externalAccount('payins', amount.currency),
      source: 'topup',
      sourceId: topupId,
    },
  };
}
