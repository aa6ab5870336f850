import {
  balanceReservationMade,
  balanceReservationRefused,
  type Envelope,
  type orderReserveRequested,
  type Payload,
} from '@holdfast/contracts/messages';
import type { Published } from '@holdfast/contracts/sagas';
import { parseMoney } from '@holdfast/kernel/money';
import { forOrder } from '../domain/reservations.js';
import type { Deps } from './ports.js';
import { postMessage } from './post-request.js';
import { balancesNow, refusalOf, balanceReply } from './replies.js';

/** Reserves the buyer's funds for an order, or replies with the refusal. */
export function handleReserveRequested(
  deps: Deps,
  message: Envelope<Payload<typeof orderReserveRequested>>,
): Promise<Published<'balance.reserved' | 'balance.reservation_made' | 'balance.reservation_refused'>> {
  const { orderId, userId, amount, currency } = message.payload;
  return postMessage(deps, message, {
    type: 'RESERVE',
    instruction: { does: 'reserve', userId, amount: parseMoney(amount, currency), reservedFor: forOrder(orderId) },
    orderId,
    reply: {
      done: (user) => balanceReply(balanceReservationMade, user, { ...message.payload, ...balancesNow(user) }),
      refused: (user, refusal) => balanceReply(balanceReservationRefused, user, { ...message.payload, ...refusalOf(refusal) }),
    },
  });
}
