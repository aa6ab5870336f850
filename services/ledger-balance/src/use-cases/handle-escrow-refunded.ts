import type { Envelope, escrowRefunded, Payload } from '@holdfast/contracts/messages';
import type { Published } from '@holdfast/contracts/sagas';
import type { Deps } from './ports.js';
import { settleEscrow, type EscrowPayout } from './settle-escrow.js';

/** The contract refunded the buyer. A refund has no fee, so the full amount is credited. */
export function handleEscrowRefunded(
  deps: Deps,
  message: Envelope<Payload<typeof escrowRefunded>>,
): Promise<Published<EscrowPayout>> {
  const { orderId, buyerId, amount, currency } = message.payload;
  return settleEscrow(deps, message, {
    orderId,
    currency,
    payouts: [{ userId: buyerId, amount, source: 'order_refunded' }],
    fee: '0.00',
    description: 'Escrow: refunded',
  });
}
