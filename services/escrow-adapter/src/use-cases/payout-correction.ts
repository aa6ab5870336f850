import {
  escrowMilestoneSettled,
  escrowPayoutCorrectionRequested,
  escrowRefunded,
  escrowReleased,
  predecessorEventId,
  type Envelope,
  type Payload,
} from '@holdfast/contracts/messages';
import { formatUnits, parseUnits } from '@holdfast/kernel/money';
import type { Tx } from '@holdfast/postgres';
import type { Contract } from '../domain/contract.js';
import type { Intent } from '@holdfast/intents';
import { publishOfIntent, type Completion } from './close-intent.js';
import type { ResolutionDeps } from './resolution-ports.js';

type PaidIntent = { readonly intent: Intent; readonly contract: Contract; readonly payout: Envelope };

/**
 * Requests that the ledger records a payout that it has refused. The request is stored with the replies of the intent, so that
 * resending the command brings it again.
 */
export async function requestCorrection(
  deps: ResolutionDeps,
  tx: Tx,
  { intent, contract, payout }: PaidIntent,
): Promise<Completion> {
  const { escrowId, orderId } = contract;
  const payload = { escrowId, orderId, payoutId: payout.id, ...paidBy(payout) };
  const after = predecessorEventId(payout);
  const request = {
    declaration: escrowPayoutCorrectionRequested,
    payload,
    contract,
    ...(after === undefined ? {} : { afterEventId: after }),
  };
  const reply = await publishOfIntent(deps, tx, intent, request);
  await deps.resolutions.addReply(tx, intent, reply);
  return { reply, contract };
}

/** The message about the payout of a contract, or of a milestone, that the ledger records: the last reply of the step. */
export function payoutIn(replies: readonly Envelope[]): Envelope | undefined {
  return replies.findLast(({ type }) => payoutTypes.has(type));
}

const payoutTypes: ReadonlySet<string> = new Set([escrowReleased.type, escrowRefunded.type, escrowMilestoneSettled.type]);

type Paid = Pick<Payload<typeof escrowPayoutCorrectionRequested>, 'milestoneRef' | 'currency' | 'payouts' | 'platformFee'>;

function paidBy({ type, payload }: Envelope): Paid {
  if (type === escrowRefunded.type) {
    const { currency, buyerId, amount } = escrowRefunded.payload.parse(payload);
    return { currency, payouts: [{ userId: buyerId, amount }], platformFee: '0.00' };
  }
  if (type === escrowMilestoneSettled.type) return paidByMilestone(escrowMilestoneSettled.payload.parse(payload));
  const { currency, sellerId, netAmount, platformFee, buyerId, refundAmount } = escrowReleased.payload.parse(payload);
  const isSplit = buyerId !== undefined && refundAmount !== undefined;
  const toBuyer = isSplit ? [{ userId: buyerId, amount: refundAmount }] : [];
  return { currency, payouts: [{ userId: sellerId, amount: netAmount }, ...toBuyer], platformFee };
}

function paidByMilestone(settled: Payload<typeof escrowMilestoneSettled>): Paid {
  const { milestoneRef, currency, sellerId, sellerAmount, platformFee, buyerId, buyerAmount } = settled;
  const netUnits = parseUnits(sellerAmount) - parseUnits(platformFee);
  const payouts = [
    { userId: sellerId, units: netUnits },
    { userId: buyerId, units: parseUnits(buyerAmount) },
  ].filter(({ units }) => units > 0n);
  return {
    milestoneRef,
    currency,
    payouts: payouts.map(({ userId, units }) => ({ userId, amount: formatUnits(units) })),
    platformFee,
  };
}
