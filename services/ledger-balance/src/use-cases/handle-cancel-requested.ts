import { balanceReservationFreed, type Envelope, type orderCancelRequested, type Payload } from '@holdfast/contracts/messages';
import type { Published } from '@holdfast/contracts/sagas';
import { formatUnits } from '@holdfast/kernel/money';
import { forOrder } from '../domain/reservations.js';
import type { Deps } from './ports.js';
import { postMessage } from './post-request.js';
import { balancesNow, balanceReply } from './replies.js';

/** Frees everything that is reserved for an order. An order without reservations is accepted. */
export function handleCancelRequested(
  deps: Deps,
  message: Envelope<Payload<typeof orderCancelRequested>>,
): Promise<Published<'balance.released' | 'balance.reservation_freed'>> {
  const { orderId, userId, currency, reason } = message.payload;
  return postMessage(deps, message, {
    type: 'RELEASE',
    instruction: {
      does: 'free-all',
      userId,
      currency,
      reservedFor: forOrder(orderId),
      reason: reason ?? 'order_canceled',
      whenNothing: 'accept',
    },
    orderId,
    reply: {
      done: (user, { balanceChanges }) => {
        const amount = formatUnits(balanceChanges.reduce((sum, { units }) => sum + units, 0n));
        return balanceReply(balanceReservationFreed, user, { ...balancesNow(user), orderId, userId, amount, currency });
      },
    },
  });
}
