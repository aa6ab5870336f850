import { balanceDeductionRestored, type Envelope, type escrowFundingFailed, type Payload } from '@holdfast/contracts/messages';
import type { Published } from '@holdfast/contracts/sagas';
import { parseMoney } from '@holdfast/kernel/money';
import { forOrder } from '../domain/reservations.js';
import type { Deps } from './ports.js';
import { postMessage } from './post-request.js';
import { balancesNow, balanceReply, contradiction } from './replies.js';

/**
 * Compensates the deduction: the funds in escrow are reserved for the buyer again. The run may have been aborted before its
 * deduction; then the deduction is refused from now on.
 */
export function handleFundingFailed(
  deps: Deps,
  message: Envelope<Payload<typeof escrowFundingFailed>>,
): Promise<Published<'balance.reserved' | 'balance.deduction_restored' | 'balance.settlement_contradicted'>> {
  const { orderId, buyerId, amount, currency, abortedCommandId: deductionCause } = message.payload;
  const restored = { userId: buyerId, orderId, amount: parseMoney(amount, currency), reservedFor: forOrder(orderId) };
  return postMessage(deps, message, {
    type: 'RESTORE',
    instruction: { ...restored, does: 'restore', deductionCause },
    orderId,
    description: 'Escrow: funding failed, the amount is put back',
    reply: {
      done: (user) =>
        balanceReply(balanceDeductionRestored, user, { ...balancesNow(user), orderId, userId: buyerId, amount, currency }),
      refused: contradiction({ orderId, currency }),
    },
  });
}
