import type { Envelope, escrowReleased, Payload } from '@holdfast/contracts/messages';
import type { Published } from '@holdfast/contracts/sagas';
import { parseUnits } from '@holdfast/kernel/money';
import type { Deps } from './ports.js';
import { settleEscrow, type EscrowPayout, type Settlement } from './settle-escrow.js';

/**
 * The contract paid the seller. The ledger pays the net amount to the seller and the fee to the platform; after a split also the
 * buyer.
 */
export function handleEscrowReleased(
  deps: Deps,
  message: Envelope<Payload<typeof escrowReleased>>,
): Promise<Published<EscrowPayout>> {
  const { orderId, currency, platformFee } = message.payload;
  return settleEscrow(deps, message, { orderId, currency, ...payoutsOf(message.payload), fee: platformFee });
}

function payoutsOf(payload: Payload<typeof escrowReleased>): Pick<Settlement, 'payouts' | 'description'> {
  const { sellerId, netAmount, platformFee, buyerId, refundAmount } = payload;
  if (buyerId === undefined || refundAmount === undefined) {
    return {
      payouts: [{ userId: sellerId, amount: netAmount, source: 'order_released' }],
      description: parseUnits(platformFee) > 0n ? 'Escrow: released, less the platform fee' : 'Escrow: released',
    };
  }
  return {
    payouts: [
      { userId: sellerId, amount: netAmount, source: 'dispute_split' },
      { userId: buyerId, amount: refundAmount, source: 'dispute_split' },
    ],
    description: 'Escrow: split after a dispute',
  };
}
