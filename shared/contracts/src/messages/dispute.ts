import { z } from 'zod';
import { amountOut, id, instant } from '../shapes/index.js';
import { message } from './message.js';

export const disputeStatuses = ['OPEN', 'UNDER_REVIEW', 'RESOLVED'] as const;
export type DisputeStatus = (typeof disputeStatuses)[number];
export const disputeParties = ['BUYER', 'SELLER'] as const;
export type DisputeParty = (typeof disputeParties)[number];
export const disputeReasons = ['NOT_DELIVERED', 'QUALITY_ISSUE', 'OTHER'] as const;
export type DisputeReason = (typeof disputeReasons)[number];
export const disputeDecisions = ['FULL_RELEASE', 'FULL_REFUND', 'SPLIT'] as const;
export type DisputeDecision = (typeof disputeDecisions)[number];

const publicMessage = { version: 1, aggregateType: 'Dispute', publisher: 'orders', visibility: 'public' } as const;
const ofDispute = { disputeId: id('dsp'), orderId: id('ord') };
const milestoneRef = z.string().meta({ description: 'Present if the dispute is about one milestone', example: 'draft' });

export const disputeOpened = message({
  ...publicMessage,
  type: 'dispute.opened',
  summary: 'A dispute was opened.',
  payload: z.strictObject({
    ...ofDispute,
    openedBy: z.enum(disputeParties),
    reason: z.enum(disputeReasons),
    evidence: z.array(z.string().meta({ example: 'https://files.example/chat.pdf' })).optional(),
    openedAt: instant,
    milestoneRef: milestoneRef.optional(),
  }),
});

export const disputeUnderReview = message({
  ...publicMessage,
  type: 'dispute.under_review',
  summary: 'A dispute was assigned to an agent and is under review.',
  payload: z.strictObject({
    ...ofDispute,
    reviewedBy: z.string().meta({ example: 'agent-3' }).optional(),
    reviewStartedAt: instant,
  }),
});

export const disputeResolved = message({
  ...publicMessage,
  type: 'dispute.resolved',
  summary: 'A dispute was resolved and the escrow paid out.',
  payload: z.strictObject({
    ...ofDispute,
    decision: z.enum(disputeDecisions),
    decisionNote: z.string().meta({ example: 'Half of the work was delivered.' }).optional(),
    resolvedBy: z.string().meta({ example: 'agent-3' }),
    resolvedAt: instant,
    buyerAmount: amountOut.optional(),
    sellerAmount: amountOut.optional(),
  }),
});

const dated = { ...ofDispute, milestoneRef: milestoneRef.optional(), at: instant };
const dueAt = instant.meta({ description: 'The deadline: `respondBy` or `decideBy` of the dispute' });

export const disputeEvidenceAdded = message({
  ...publicMessage,
  type: 'dispute.evidence_added',
  summary: 'The buyer or the seller added evidence to a dispute. `dueAt` is the end of the response period, if there is one.',
  payload: z.strictObject({ ...dated, dueAt: dueAt.optional() }),
});

export const disputeDueSoon = message({
  ...publicMessage,
  type: 'dispute.due_soon',
  summary: 'A deadline of a dispute is less than 24 hours away.',
  payload: z.strictObject({ ...dated, dueAt }),
});

export const disputeOverdue = message({
  ...publicMessage,
  type: 'dispute.overdue',
  summary: 'A dispute was not decided in time.',
  payload: z.strictObject({ ...dated, dueAt }),
});

export const disputeMessages = [
  disputeOpened,
  disputeUnderReview,
  disputeResolved,
  disputeEvidenceAdded,
  disputeDueSoon,
  disputeOverdue,
] as const;
