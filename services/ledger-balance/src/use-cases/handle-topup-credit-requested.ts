import {
  balanceTopupCredited,
  balanceTopupRefused,
  type Envelope,
  type Payload,
  type topupCreditRequested,
} from '@holdfast/contracts/messages';
import type { Published } from '@holdfast/contracts/sagas';
import { formatUnits, parseMoney } from '@holdfast/kernel/money';
import { creditOfTopup } from './credit-of-topup.js';
import type { Deps } from './ports.js';
import { postMessage } from './post-request.js';
import { balanceReply, refusalOf } from './replies.js';

/**
 * The payment provider has received the money of a top-up, so the user is credited, or the reply is the refusal if the balance
 * would exceed its limit.
 */
export function handleTopupCreditRequested(
  deps: Deps,
  message: Envelope<Payload<typeof topupCreditRequested>>,
): Promise<Published<'balance.credited' | 'balance.topup_credited' | 'balance.topup_refused'>> {
  const { topupId, userId, amount, currency } = message.payload;
  return postMessage(deps, message, {
    ...creditOfTopup({ userId, amount: parseMoney(amount, currency), topupId }),
    reply: {
      done: (user) =>
        balanceReply(balanceTopupCredited, user, { ...message.payload, newAvailableBalance: formatUnits(user.availableUnits) }),
      refused: (user, refusal) => balanceReply(balanceTopupRefused, user, { ...message.payload, ...refusalOf(refusal) }),
    },
  });
}
