import {
  balanceTopupCredited,
  balanceTopupRefused,
  type Envelope,
  type Payload,
  type topupPaymentReceived,
} from '@holdfast/contracts/messages';
import { formatUnits, parseMoney } from '@holdfast/kernel/money';
import { externalAccount } from '../domain/accounts.js';
import type { Deps } from './ports.js';
import { postMessage } from './post-request.js';
import { balanceReply, refusalOf } from './replies.js';

/**
 * The payment provider has received the money of a top-up, so the user is credited, or the reply is the refusal if the balance
 * would exceed its limit. The cause is the top-up and not the message, so that no second run can credit it again.
 */
export function handleTopupPaymentReceived(deps: Deps, message: Envelope<Payload<typeof topupPaymentReceived>>): Promise<void> {
  const { topupId, userId, amount, currency } = message.payload;
  return postMessage(deps, message, {
    type: 'TOPUP',
    cause: `topup:${topupId}`,
    reference: topupId,
    description: 'Top-up',
    instruction: {
      does: 'credit',
      userId,
      amount: parseMoney(amount, currency),
      from: externalAccount('payins', currency),
      source: 'topup',
      sourceId: topupId,
    },
    reply: {
      done: (user) =>
        balanceReply(balanceTopupCredited, user, { ...message.payload, newAvailableBalance: formatUnits(user.availableUnits) }),
      refused: (user, refusal) => balanceReply(balanceTopupRefused, user, { ...message.payload, ...refusalOf(refusal) }),
    },
  });
}
