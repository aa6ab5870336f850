import { balanceWithdrawalFreed, type Envelope, type Payload, type withdrawalFreeRequested } from '@holdfast/contracts/messages';
import type { Published } from '@holdfast/contracts/sagas';
import { forWithdrawal } from '../domain/reservations.js';
import type { Deps } from './ports.js';
import { postMessage } from './post-request.js';
import { balancesNow, balanceReply } from './replies.js';

/** The withdrawal failed or was canceled: its amount is available again. */
export function handleWithdrawalFreeRequested(
  deps: Deps,
  message: Envelope<Payload<typeof withdrawalFreeRequested>>,
): Promise<Published<'balance.released' | 'balance.withdrawal_freed'>> {
  const { withdrawalId, userId, currency } = message.payload;
  return postMessage(deps, message, {
    type: 'WITHDRAWAL',
    reference: withdrawalId,
    description: 'Withdrawal called off: amount available again',
    instruction: {
      does: 'free-all',
      userId,
      currency,
      reservedFor: forWithdrawal(withdrawalId),
      reason: 'withdrawal_called_off',
      whenNothing: 'accept',
    },
    reply: { done: (user) => balanceReply(balanceWithdrawalFreed, user, { ...message.payload, ...balancesNow(user) }) },
  });
}
