import { balanceDeductionRestored, type Envelope, type escrowFundingFailed, type Payload } from '@holdfast/contracts/messages';
import { parseMoney } from '@holdfast/kernel/money';
import { orderHold } from '../domain/reservations.js';
import type { Deps } from './ports.js';
import { postMessage } from './post-request.js';
import { balancesNow, balanceReply } from './replies.js';

/** Compensates the deduction: the funds in escrow are reserved for the buyer again. */
export function handleFundingFailed(deps: Deps, message: Envelope<Payload<typeof escrowFundingFailed>>): Promise<void> {
  const { orderId, buyerId, amount, currency } = message.payload;
  return postMessage(deps, message, {
    type: 'RESTORE',
    instruction: { does: 'restore', userId: buyerId, orderId, amount: parseMoney(amount, currency), hold: orderHold(orderId) },
    orderId,
    reply: {
      done: (user) =>
        balanceReply(balanceDeductionRestored, user, { ...balancesNow(user), orderId, userId: buyerId, amount, currency }),
    },
  });
}
