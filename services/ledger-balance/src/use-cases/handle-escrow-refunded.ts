import type { Envelope, escrowRefunded, Payload } from '@holdfast/contracts/messages';
import type { Deps } from './ports.js';
import { settleEscrow } from './settle-escrow.js';

/** The contract paid the buyer back: a refund costs the buyer nothing, so the whole amount is credited. */
export function handleEscrowRefunded(deps: Deps, message: Envelope<Payload<typeof escrowRefunded>>): Promise<void> {
  const { orderId, buyerId, amount, currency } = message.payload;
  return settleEscrow(deps, message, {
    orderId,
    currency,
    payouts: [{ userId: buyerId, amount, source: 'order_refunded' }],
    fee: '0.00',
  });
}
