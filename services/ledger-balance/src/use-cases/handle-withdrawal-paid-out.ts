import { balanceWithdrawalConsumed, type Envelope, type Payload, type withdrawalPaidOut } from '@holdfast/contracts/messages';
import { parseMoney } from '@holdfast/kernel/money';
import { externalAccount } from '../domain/accounts.js';
import { withdrawalHold } from '../domain/reservations.js';
import type { Deps } from './ports.js';
import { postMessage } from './post-request.js';
import { balancesNow, balanceReply } from './replies.js';

/** The money has left the platform, so the reserved amount leaves the ledger. */
export function handleWithdrawalPaidOut(deps: Deps, message: Envelope<Payload<typeof withdrawalPaidOut>>): Promise<void> {
  const { withdrawalId, userId, amount, currency } = message.payload;
  return postMessage(deps, message, {
    type: 'WITHDRAWAL',
    instruction: {
      does: 'deduct',
      userId,
      amount: parseMoney(amount, currency),
      hold: withdrawalHold(withdrawalId),
      to: externalAccount('payouts', currency),
      reason: 'withdrawal_completed',
      exceeded: 'RESERVE_NOT_FOUND',
    },
    reply: { done: (user) => balanceReply(balanceWithdrawalConsumed, user, { ...message.payload, ...balancesNow(user) }) },
  });
}
