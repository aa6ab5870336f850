import type { Envelope, escrowReleased, Payload } from '@holdfast/shared/contracts/messages';
import type { Deps } from './ports.js';
import { settleEscrow } from './settle-escrow.js';

/** The contract paid the seller: the books pay the net amount to the seller and the fee to the platform. */
export function noteEscrowReleased(deps: Deps, message: Envelope<Payload<typeof escrowReleased>>): Promise<void> {
  const { orderId, sellerId, currency, netAmount, platformFee } = message.payload;
  return settleEscrow(deps, message, {
    orderId,
    currency,
    payouts: [{ userId: sellerId, amount: netAmount, source: 'order_released' }],
    fee: platformFee,
  });
}
