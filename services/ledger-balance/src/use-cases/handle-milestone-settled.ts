import type { Envelope, escrowMilestoneSettled, Payload } from '@holdfast/contracts/messages';
import type { Published } from '@holdfast/contracts/sagas';
import { formatUnits, parseUnits } from '@holdfast/kernel/money';
import type { Deps } from './ports.js';
import { settleEscrow, type EscrowPayout, type Settlement } from './settle-escrow.js';

type MilestoneSettled = Payload<typeof escrowMilestoneSettled>;

/**
 * The contract paid out one milestone. The escrow account of the order pays the same: the net amount to the seller, the fee to the
 * platform and the rest to the buyer; what the other milestones are worth stays in it.
 */
export function handleMilestoneSettled(deps: Deps, message: Envelope<MilestoneSettled>): Promise<Published<EscrowPayout>> {
  const { orderId, milestoneRef, currency, platformFee } = message.payload;
  return settleEscrow(deps, message, { orderId, milestoneRef, currency, ...payoutsOf(message.payload), fee: platformFee });
}

function payoutsOf(payload: MilestoneSettled): Pick<Settlement, 'payouts' | 'description'> {
  const { milestoneRef, sellerId, sellerAmount, buyerId, buyerAmount, platformFee } = payload;
  const seller = { userId: sellerId, amount: formatUnits(parseUnits(sellerAmount) - parseUnits(platformFee)) };
  const buyer = { userId: buyerId, amount: buyerAmount };
  const milestone = `Escrow: milestone ${milestoneRef}`;
  if (parseUnits(buyerAmount) === 0n) {
    return {
      payouts: [{ ...seller, source: 'milestone_released' }],
      description: parseUnits(platformFee) > 0n ? `${milestone} released, less the platform fee` : `${milestone} released`,
    };
  }
  if (parseUnits(sellerAmount) === 0n) {
    // The seller comes first with nothing, so that the reply has their balance: orders publishes it with the last milestone.
    const payouts = [seller, buyer].map((payout) => ({ ...payout, source: 'milestone_refunded' }));
    return { payouts, description: `${milestone} refunded` };
  }
  return {
    payouts: [seller, buyer].map((payout) => ({ ...payout, source: 'dispute_split' })),
    description: `${milestone} split after a dispute`,
  };
}
