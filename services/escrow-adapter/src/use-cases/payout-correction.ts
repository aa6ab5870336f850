import {
  escrowPayoutCorrectionRequested,
  escrowRefunded,
  escrowReleased,
  type Envelope,
  type Payload,
} from '@holdfast/contracts/messages';
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
  const request = { declaration: escrowPayoutCorrectionRequested, payload, contract, afterEventId: payout.id };
  const reply = await publishOfIntent(deps, tx, intent, request);
  await deps.resolutions.addReply(tx, intent, reply);
  return { reply, contract };
}

/** The message about the payout of a contract. */
export function payoutIn(replies: readonly Envelope[]): Envelope | undefined {
  return replies.find(({ type }) => type === escrowReleased.type || type === escrowRefunded.type);
}

type Paid = Pick<Payload<typeof escrowPayoutCorrectionRequested>, 'currency' | 'payouts' | 'platformFee'>;

function paidBy({ type, payload }: Envelope): Paid {
  if (type === escrowRefunded.type) {
    const { currency, buyerId, amount } = escrowRefunded.payload.parse(payload);
    return { currency, payouts: [{ userId: buyerId, amount }], platformFee: '0.00' };
  }
  const { currency, sellerId, netAmount, platformFee, buyerId, refundAmount } = escrowReleased.payload.parse(payload);
  const isSplit = buyerId !== undefined && refundAmount !== undefined;
  const toBuyer = isSplit ? [{ userId: buyerId, amount: refundAmount }] : [];
  return { currency, payouts: [{ userId: sellerId, amount: netAmount }, ...toBuyer], platformFee };
}
