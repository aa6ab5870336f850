import type { Envelope, escrowPayoutCorrectionRequested, Payload } from '@holdfast/contracts/messages';
import type { Published } from '@holdfast/contracts/sagas';
import type { Deps } from './ports.js';
import { settleEscrow, type EscrowPayout } from './settle-escrow.js';

/**
 * The contract has paid more than the escrow account of the order holds, and an operator has decided that the books follow the
 * contract. Has no effect if the payout was recorded meanwhile.
 */
export function handlePayoutCorrectionRequested(
  deps: Deps,
  message: Envelope<Payload<typeof escrowPayoutCorrectionRequested>>,
): Promise<Published<EscrowPayout>> {
  const { orderId, milestoneRef, currency, payoutId, payouts, platformFee } = message.payload;
  return settleEscrow(deps, message, {
    orderId,
    ...(milestoneRef === undefined ? {} : { milestoneRef }),
    currency,
    payouts: payouts.map((payout) => ({ ...payout, source: 'settlement_corrected' })),
    fee: platformFee,
    description: 'Escrow: payout corrected',
    corrects: payoutId,
  });
}
