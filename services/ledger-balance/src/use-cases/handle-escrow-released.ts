import type { Envelope, escrowReleased, Payload } from '@holdfast/contracts/messages';
import type { Deps } from './ports.js';
import { settleEscrow, type Payout } from './settle-escrow.js';

/**
 * The contract paid the seller. The ledger pays the net amount to the seller and the fee to the platform; after a split also the
 * buyer.
 */
export function handleEscrowReleased(deps: Deps, message: Envelope<Payload<typeof escrowReleased>>): Promise<void> {
  const { orderId, currency, platformFee } = message.payload;
  return settleEscrow(deps, message, { orderId, currency, payouts: payoutsOf(message.payload), fee: platformFee });
}

function payoutsOf({ sellerId, netAmount, buyerId, refundAmount }: Payload<typeof escrowReleased>): readonly Payout[] {
  if (buyerId === undefined || refundAmount === undefined) {
    return [{ userId: sellerId, amount: netAmount, source: 'order_released' }];
  }
  return [
    { userId: sellerId, amount: netAmount, source: 'dispute_split' },
    { userId: buyerId, amount: refundAmount, source: 'dispute_split' },
  ];
}
