import { z } from 'zod';
import { amountOut, currency, id, instant } from '../shapes/index.js';
import { message } from './message.js';

export const escrowStatuses = ['CREATING', 'CREATED', 'FUNDING', 'FUNDED', 'RELEASED', 'REFUNDED', 'DISPUTED'] as const;
export type EscrowStatus = (typeof escrowStatuses)[number];

/** How a contract pays out: all at once, or milestone by milestone. Chosen once, when the contract is asked for. */
export const contractTypes = ['single-release', 'multi-release'] as const;
export type ContractType = (typeof contractTypes)[number];

const byAdapter = { version: 1, aggregateType: 'Escrow', publisher: 'escrow-adapter' } as const;
const byOrders = { version: 1, aggregateType: 'Escrow', publisher: 'orders' } as const;
const asksAdapter = { ...byOrders, visibility: 'internal' } as const;
const tellsOrders = { ...byAdapter, visibility: 'internal' } as const;

const ofOrder = { escrowId: id('esc'), orderId: id('ord') };
const ofEscrow = { ...ofOrder, amount: amountOut, currency };
const parties = { buyerId: id('usr'), sellerId: id('usr') };
const providerContractId = z.string().meta({ description: 'Address of the contract on the ledger network', example: 'CDLZ…' });
const milestoneRef = z.string().meta({ example: 'draft' });
const milestoneTitle = z.string().meta({ example: 'First draft' });
const reason = z.string().meta({ example: 'the provider refused the transaction' });

export const escrowDeployRequested = message({
  ...asksAdapter,
  type: 'escrow.deploy_requested',
  summary: "Deploy the order's contract; the terms told here hold for its whole life.",
  payload: z.strictObject({
    ...ofEscrow,
    ...parties,
    contractType: z.enum(contractTypes),
    title: z.string().meta({ example: 'Logo design' }),
    description: z.string().meta({ example: 'Three drafts, two rounds of changes' }),
    platformFeePercent: z.string().meta({ description: 'Percent of what the seller gets', example: '5' }),
    milestones: z.array(z.strictObject({ ref: milestoneRef, title: milestoneTitle, amount: amountOut })).min(1),
  }),
});

export const escrowCreated = message({
  ...byAdapter,
  visibility: 'public',
  type: 'escrow.created',
  summary: 'The contract exists on the ledger network.',
  payload: z.strictObject({ ...ofEscrow, providerContractId }),
});

export const escrowCreationUnconfirmed = message({
  ...tellsOrders,
  type: 'escrow.creation_unconfirmed',
  summary: 'The deployment was accepted, and the provider has not said which contract it made.',
  payload: z.strictObject(ofOrder),
});

export const escrowCreationFailed = message({
  ...tellsOrders,
  type: 'escrow.creation_failed',
  summary: 'No contract was made, and none will be by this attempt.',
  payload: z.strictObject({ ...ofOrder, reason }),
});

export const escrowFundingStarted = message({
  ...byOrders,
  visibility: 'public',
  type: 'escrow.funding_started',
  summary: 'The funds are on their way into the contract.',
  payload: z.strictObject({ ...ofOrder, providerContractId, amount: amountOut }),
});

export const escrowFunded = message({
  ...byAdapter,
  visibility: 'public',
  type: 'escrow.funded',
  summary: 'The contract holds the funds.',
  payload: z.strictObject({ ...ofOrder, providerContractId, amount: amountOut, fundedAt: instant }),
});

export const escrowFundingFailed = message({
  ...byAdapter,
  visibility: 'internal',
  type: 'escrow.funding_failed',
  summary: 'The contract was not funded: the deduction goes back to the buyer.',
  payload: z.strictObject({ ...ofEscrow, buyerId: id('usr'), reason }),
});

export const escrowMilestoneCompleted = message({
  ...byOrders,
  visibility: 'public',
  type: 'escrow.milestone_completed',
  summary: 'The seller has delivered a part.',
  payload: z.strictObject({
    ...ofOrder,
    milestoneRef,
    milestoneTitle,
    amount: amountOut,
    completedAt: instant,
  }),
});

export const escrowSettlementRequested = message({
  ...asksAdapter,
  type: 'escrow.settlement_requested',
  summary: 'Pay the contract out: all to the seller, all to the buyer, or to both after a dispute.',
  payload: z.strictObject({
    ...ofEscrow,
    ...parties,
    decision: z.enum(['RELEASE', 'REFUND', 'SPLIT']),
    sellerAmount: amountOut.meta({ description: "The seller's part, before the fee" }),
    buyerAmount: amountOut,
    platformFee: amountOut.meta({ description: "What the platform keeps of the seller's part" }),
  }),
});

export const escrowSettlementFailed = message({
  ...tellsOrders,
  type: 'escrow.settlement_failed',
  summary: 'Nothing was paid out, and nothing will be by this attempt.',
  payload: z.strictObject({ ...ofOrder, reason }),
});

export const escrowReleased = message({
  ...byAdapter,
  visibility: 'public',
  type: 'escrow.released',
  summary: 'The contract paid the seller; after a split also the buyer. The amount is the order amount.',
  payload: z.strictObject({
    ...ofEscrow,
    sellerId: id('usr'),
    platformFee: amountOut,
    netAmount: amountOut.meta({ description: 'What the seller gets' }),
    releasedAt: instant,
    buyerId: id('usr').optional(),
    refundAmount: amountOut.optional().meta({ description: 'What the buyer gets where a dispute was split' }),
  }),
});

export const escrowRefunded = message({
  ...byAdapter,
  visibility: 'public',
  type: 'escrow.refunded',
  summary: 'The contract paid the buyer back.',
  payload: z.strictObject({ ...ofEscrow, buyerId: id('usr'), refundedAt: instant }),
});

export const escrowDisputeSeen = message({
  ...tellsOrders,
  type: 'escrow.dispute_seen',
  summary: 'The contract is disputed on the ledger network, and nobody here asked for it.',
  payload: z.strictObject(ofOrder),
});

export const escrowMilestoneSeen = message({
  ...tellsOrders,
  type: 'escrow.milestone_seen',
  summary: 'A milestone is completed on the ledger network, and nobody here asked for it.',
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
  escrowSettlementFailed,
  escrowReleased,
  escrowRefunded,
  escrowDisputeSeen,
  escrowMilestoneSeen,
] as const;
