import { z } from 'zod';
import { amountOut, currency, id, instant } from '../shapes/index.js';
import { message } from './message.js';

export const escrowStatuses = ['CREATING', 'CREATED', 'FUNDING', 'FUNDED', 'RELEASED', 'REFUNDED', 'DISPUTED'] as const;
export type EscrowStatus = (typeof escrowStatuses)[number];

/** Whether a contract pays out at once or per milestone. Fixed when the contract is deployed. */
export const contractTypes = ['single-release', 'multi-release'] as const;
export type ContractType = (typeof contractTypes)[number];

/** Whether an order is paid out as a whole or milestone by milestone. */
export const releaseModes = ['order', 'milestone'] as const;
export type ReleaseMode = (typeof releaseModes)[number];

/** Why a milestone was paid out: null if a caller requested it. */
export const payoutCauses = ['review_period', 'dispute'] as const;
export const payoutCause = z
  .enum(payoutCauses)
  .nullable()
  .meta({ description: 'Null if a caller requested it; `review_period` after a review that ended in silence', example: null });

const adapterMessage = { version: 1, aggregateType: 'Escrow', publisher: 'escrow-adapter' } as const;
const ordersMessage = { version: 1, aggregateType: 'Escrow', publisher: 'orders' } as const;
const adapterCommand = { ...ordersMessage, visibility: 'internal' } as const;
const ordersReply = { ...adapterMessage, visibility: 'internal' } as const;

const ofOrder = { escrowId: id('esc'), orderId: id('ord') };
const ofEscrow = { ...ofOrder, amount: amountOut, currency };
const parties = { buyerId: id('usr'), sellerId: id('usr') };
const providerContractId = z.string().meta({ description: 'Contract address on the ledger network', example: 'CDLZ…' });
const milestoneRef = z.string().meta({ example: 'draft' });
const milestoneTitle = z.string().meta({ example: 'First draft' });
const reason = z.string().meta({ example: 'the provider refused the transaction' });

export const escrowDeployRequested = message({
  ...adapterCommand,
  type: 'escrow.deploy_requested',
  summary: 'Deploy the escrow contract of the order with these terms.',
  payload: z.strictObject({
    ...ofEscrow,
    ...parties,
    contractType: z.enum(contractTypes),
    releaseMode: z.enum(releaseModes).default('order'),
    title: z.string().meta({ example: 'Logo design' }),
    description: z.string().meta({ example: 'Three drafts, two rounds of changes' }),
    platformFeePercent: z.string().meta({ description: 'Percentage of the amount for the seller', example: '5' }),
    milestones: z.array(z.strictObject({ ref: milestoneRef, title: milestoneTitle, amount: amountOut })).min(1),
  }),
});

export const escrowCreated = message({
  ...adapterMessage,
  visibility: 'public',
  type: 'escrow.created',
  summary: 'The escrow contract was deployed on the ledger network.',
  payload: z.strictObject({ ...ofEscrow, providerContractId }),
});

export const escrowCreationUnconfirmed = message({
  ...ordersReply,
  type: 'escrow.creation_unconfirmed',
  summary: 'The deployment was accepted, but the provider has not returned the contract yet.',
  payload: z.strictObject(ofOrder),
});

export const escrowCreationFailed = message({
  ...ordersReply,
  type: 'escrow.creation_failed',
  summary: 'The escrow contract could not be deployed.',
  payload: z.strictObject({ ...ofOrder, reason }),
});

export const escrowFundingStarted = message({
  ...ordersMessage,
  visibility: 'public',
  type: 'escrow.funding_started',
  summary: 'Funding of the escrow contract started.',
  payload: z.strictObject({ ...ofOrder, providerContractId, amount: amountOut }),
});

export const escrowFunded = message({
  ...adapterMessage,
  visibility: 'public',
  type: 'escrow.funded',
  summary: 'The escrow contract was funded.',
  payload: z.strictObject({ ...ofOrder, providerContractId, amount: amountOut, fundedAt: instant }),
});

export const escrowFundingFailed = message({
  ...adapterMessage,
  visibility: 'internal',
  type: 'escrow.funding_failed',
  summary: 'The escrow contract could not be funded: restore the deduction.',
  payload: z.strictObject({
    ...ofEscrow,
    buyerId: id('usr'),
    reason,
    abortedCommandId: id('evt')
      .optional()
      .meta({ description: 'The deduct command of an aborted run: if it had no effect, there is nothing to restore' }),
  }),
});

export const escrowMilestoneCompleted = message({
  ...ordersMessage,
  visibility: 'public',
  type: 'escrow.milestone_completed',
  summary: 'A milestone was completed.',
  payload: z.strictObject({
    ...ofOrder,
    milestoneRef,
    milestoneTitle,
    amount: amountOut,
    completedAt: instant,
  }),
});

export const escrowSettlementRequested = message({
  ...adapterCommand,
  type: 'escrow.settlement_requested',
  summary:
    'Pay out the escrow contract, or one of its milestones, to the seller, the buyer, or both. `amount` is what is paid out: the order amount, less what was paid for single milestones before.',
  payload: z.strictObject({
    ...ofEscrow,
    ...parties,
    milestoneRef: milestoneRef.optional().meta({ description: 'Absent for the whole contract' }),
    cause: payoutCause.optional(),
    decision: z.enum(['RELEASE', 'REFUND', 'SPLIT']),
    sellerAmount: amountOut.meta({ description: 'Amount for the seller before the fee' }),
    buyerAmount: amountOut,
    platformFee: amountOut.meta({ description: 'Platform fee, deducted from the amount for the seller' }),
  }),
});

export const escrowAbortRequested = message({
  ...adapterCommand,
  type: 'escrow.abort_requested',
  summary: 'The saga run is past its deadline: refuse its command from now on, unless its intent is stored.',
  payload: z.strictObject({
    ...ofEscrow,
    buyerId: id('usr'),
    commandId: id('evt').meta({ description: 'The command of orders that started the run' }),
  }),
});

export const escrowSettlementFailed = message({
  ...ordersReply,
  type: 'escrow.settlement_failed',
  summary: 'The escrow contract, or one of its milestones, could not be paid out.',
  payload: z.strictObject({
    ...ofOrder,
    reason,
    isDisputed: z.boolean().meta({
      description: 'Whether this attempt has disputed the contract or the milestone on the ledger network',
    }),
  }),
});

export const escrowSettlementContradicted = message({
  ...ordersReply,
  type: 'escrow.settlement_contradicted',
  summary: 'The escrow contract was paid out in another way than was requested. An operator must look.',
  payload: z.strictObject({ ...ofOrder, reason }),
});

export const escrowMilestoneSettled = message({
  ...ordersReply,
  type: 'escrow.milestone_settled',
  summary: 'The escrow contract paid out one milestone: to the seller, the buyer, or both.',
  payload: z.strictObject({
    ...ofEscrow,
    ...parties,
    milestoneRef,
    sellerAmount: amountOut.meta({ description: 'Amount for the seller before the fee' }),
    buyerAmount: amountOut,
    platformFee: amountOut.meta({ description: 'Platform fee, deducted from the amount for the seller' }),
    settledAt: instant,
  }),
});

export const escrowReleased = message({
  ...adapterMessage,
  visibility: 'public',
  type: 'escrow.released',
  summary:
    'The escrow contract has paid out: the seller and, after a split, the buyer. `amount` is the order amount, or what was left of it for the last payout of an order that is paid milestone by milestone.',
  payload: z.strictObject({
    ...ofEscrow,
    sellerId: id('usr'),
    platformFee: amountOut,
    netAmount: amountOut.meta({ description: 'Amount paid to the seller' }),
    releasedAt: instant,
    buyerId: id('usr').optional(),
    refundAmount: amountOut.optional().meta({ description: 'Amount paid to the buyer after a split dispute' }),
  }),
});

export const escrowRefunded = message({
  ...adapterMessage,
  visibility: 'public',
  type: 'escrow.refunded',
  summary: 'The escrow contract refunded the buyer.',
  payload: z.strictObject({ ...ofEscrow, buyerId: id('usr'), refundedAt: instant }),
});

export const escrowPayoutCorrectionRequested = message({
  ...ordersReply,
  type: 'escrow.payout_correction_requested',
  summary:
    'An operator has decided that the books record what the escrow contract has paid. What the escrow account of the order lacks comes from the adjustments.',
  payload: z.strictObject({
    ...ofOrder,
    currency,
    milestoneRef: milestoneRef.optional().meta({ description: 'Present if one milestone was paid out' }),
    payoutId: id('evt').meta({ description: 'The message about the payout, which the ledger could not record' }),
    payouts: z.array(z.strictObject({ userId: id('usr'), amount: amountOut })).min(1),
    platformFee: amountOut,
  }),
});

export const escrowDisputeSeen = message({
  ...ordersReply,
  acknowledged: true,
  type: 'escrow.dispute_seen',
  summary: 'A dispute of the escrow contract was detected on the ledger network that was not requested through the API.',
  payload: z.strictObject({
    ...ofOrder,
    milestoneRef: milestoneRef.optional().meta({ description: 'Present if the order is paid milestone by milestone' }),
  }),
});

export const escrowMilestoneSeen = message({
  ...ordersReply,
  acknowledged: true,
  type: 'escrow.milestone_seen',
  summary: 'A completed milestone was detected on the ledger network that was not requested through the API.',
  payload: z.strictObject({ ...ofOrder, milestoneRef }),
});

export const escrowMessages = [
  escrowDeployRequested,
  escrowCreated,
  escrowCreationUnconfirmed,
  escrowCreationFailed,
  escrowFundingStarted,
  escrowFunded,
  escrowFundingFailed,
  escrowMilestoneCompleted,
  escrowSettlementRequested,
  escrowAbortRequested,
  escrowSettlementFailed,
  escrowSettlementContradicted,
  escrowMilestoneSettled,
  escrowReleased,
  escrowRefunded,
  escrowPayoutCorrectionRequested,
  escrowDisputeSeen,
  escrowMilestoneSeen,
] as const;
