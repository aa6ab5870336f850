import type { Context } from '@holdfast/kernel/context';
import type { Envelope, escrowDeployRequested, Payload } from '@holdfast/contracts/messages';
import type { Published } from '@holdfast/contracts/sagas';
import { parseMoney } from '@holdfast/kernel/money';
import type { Contract } from '../domain/contract.js';
import { withContractTexts } from '../domain/contract-texts.js';
import type { Deps } from './ports.js';

/** Stores the contract's terms and an intent; an intent worker deploys it. */
export function handleDeployRequested(
  deps: Deps,
  message: Envelope<Payload<typeof escrowDeployRequested>>,
  ctx: Context,
): Promise<Published> {
  const contract = withContractTexts(toContract(message, ctx));
  return deps.storeIntentOnce(message, 'deploy', [deps.intentSubjects.requested(contract)]);
}

function toContract({ marketplaceId, payload }: Envelope<Payload<typeof escrowDeployRequested>>, ctx: Context): Contract {
  const { escrowId, orderId, buyerId, sellerId, contractType, releaseMode, title, description, currency } = payload;
  return {
    escrowId,
    orderId,
    marketplaceId,
    type: contractType,
    releaseMode,
    amount: parseMoney(payload.amount, currency),
    buyerId,
    sellerId,
    title,
    description,
    platformFeeBasisPoints: basisPointsOf(payload.platformFeePercent),
    milestones: payload.milestones.map(({ ref, title: of, amount }) => ({
      ref,
      title: of,
      units: parseMoney(amount, currency).units,
    })),
    status: 'REQUESTED',
    isDisputeKnown: false,
    disputesKnown: [],
    lastLedger: 0,
    milestonesKnown: [],
    milestonesSettled: [],
    version: 0,
    createdAt: ctx.at,
  };
}

const unitsPerBasisPoint = 100_000n;

/** The percentage has at most two decimals. */
function basisPointsOf(percent: string): number {
  return Number(parseMoney(percent, 'USD').units / unitsPerBasisPoint);
}
