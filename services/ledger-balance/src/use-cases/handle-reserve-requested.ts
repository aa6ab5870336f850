import {
  balanceHoldPlaced,
  balanceHoldRefused,
  type Envelope,
  type orderReserveRequested,
  type Payload,
} from '@holdfast/contracts/messages';
import type { Published } from '@holdfast/contracts/sagas';
import { parseMoney } from '@holdfast/kernel/money';
import { orderHold } from '../domain/reservations.js';
import type { Deps } from './ports.js';
import { postMessage } from './post-request.js';
import { balancesNow, refusalOf, balanceReply } from './replies.js';

/** Reserves the buyer's funds for an order, or replies with the refusal. */
export function handleReserveRequested(
  deps: Deps,
  message: Envelope<Payload<typeof orderReserveRequested>>,
): Promise<Published<'balance.reserved' | 'balance.hold_placed' | 'balance.hold_refused'>> {
  const { orderId, userId, amount, currency } = message.payload;
  return postMessage(deps, message, {
    type: 'RESERVE',
    instruction: { does: 'reserve', userId, amount: parseMoney(amount, currency), hold: orderHold(orderId) },
    orderId,
    reply: {
      done: (user) => balanceReply(balanceHoldPlaced, user, { ...message.payload, ...balancesNow(user) }),
      refused: (user, refusal) => balanceReply(balanceHoldRefused, user, { ...message.payload, ...refusalOf(refusal) }),
    },
  });
}
