import type { Envelope, escrowSplit, Payload } from '@holdfast/shared/contracts/messages';
import { formatMoney, parseMoney, subtract } from '@holdfast/shared/money';
import type { Deps } from './ports.js';
import { settleEscrow } from './settle-escrow.js';

/** A dispute divided the escrow: the seller gets its part less the fee on that part, the buyer its part in full. */
export function noteEscrowSplit(deps: Deps, message: Envelope<Payload<typeof escrowSplit>>): Promise<void> {
  const { orderId, sellerId, buyerId, currency, sellerAmount, buyerAmount, platformFee } = message.payload;
  const sellerNet = subtract(parseMoney(sellerAmount, currency), parseMoney(platformFee, currency));
  return settleEscrow(deps, message, {
    orderId,
    currency,
    payouts: [
      { userId: sellerId, amount: formatMoney(sellerNet), source: 'dispute_split' },
      { userId: buyerId, amount: buyerAmount, source: 'dispute_split' },
    ],
    fee: platformFee,
  });
}
