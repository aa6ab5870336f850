import { z } from 'zod';
import {
  closeReasons,
  disputeDecisions,
  disputeParties,
  disputeReasons,
  disputeStatuses,
  escrowStatuses,
  milestoneStatuses,
  noResponseRules,
  orderStatuses,
  releaseModes,
} from '../messages/index.js';
import { amountOut, currency, duration, id, instant } from '../shapes/index.js';

const happenedAt = instant.nullable().meta({ description: 'Null until it has happened' });
const textOrNull = z.string().nullable();

export const escrow = z
  .object({
    id: id('esc'),
    providerContractId: textOrNull.meta({ description: 'Contract address; null until deployed' }),
    status: z.enum(escrowStatuses),
    amount: amountOut,
    terms: z
      .object({ milestones_required: z.literal(true) })
      .nullable()
      .meta({ description: 'Null if the order has no milestones' }),
    fundedAt: happenedAt,
    releasedAt: happenedAt,
    refundedAt: happenedAt,
  })
  .meta({
    id: 'Escrow',
    example: {
      id: 'esc_01JB2M3N4P5Q6R7S8T9V0W1X2Y',
      providerContractId: 'CEXAMPLECONTRACTADDRESS',
      status: 'FUNDED',
      amount: '100.00',
      terms: { milestones_required: true },
      fundedAt: '2026-01-31T12:01:00.123456Z',
      releasedAt: null,
      refundedAt: null,
    },
  });
export type EscrowRecord = z.infer<typeof escrow>;

export const evidenceEntry = z
  .object({
    text: z.string().optional(),
    url: z.string().optional(),
    at: instant,
    by: z.string().meta({ description: 'Id of the credential that submitted it' }),
  })
  .meta({ id: 'Evidence' });
export type EvidenceRecord = z.infer<typeof evidenceEntry>;

export const milestoneOperations = ['release-milestone', 'refund-milestone', 'resolve-milestone-dispute'] as const;

const untouchedMilestone = {
  completedAt: null,
  submittedAt: null,
  autoReleaseAt: null,
  releasedAt: null,
  releasedAmount: '0.00',
  refundedAmount: '0.00',
  disputeId: null,
  operation: null,
  evidence: [],
} as const;

const milestoneOperation = z.object({ name: z.enum(milestoneOperations), startedAt: instant });

export const milestone = z
  .object({
    ref: z.string(),
    title: z.string(),
    amount: amountOut,
    status: z.enum(milestoneStatuses),
    completedAt: happenedAt,
    submittedAt: happenedAt.meta({ description: 'The last submission; null until it has happened' }),
    autoReleaseAt: instant
      .nullable()
      .meta({ description: 'When it is released unless a party objects; null without a running review' }),
    releasedAt: happenedAt,
    releasedAmount: amountOut.meta({ description: 'Paid to the seller before the fee' }),
    refundedAmount: amountOut.meta({ description: 'Paid back to the buyer' }),
    disputeId: id('dsp').nullable().meta({ description: 'The latest dispute about this milestone' }),
    operation: milestoneOperation
      .nullable()
      .meta({ description: 'What the platform is carrying out on the milestone; null at rest' }),
    evidence: z.array(evidenceEntry).meta({ description: 'What was handed in with its submissions, oldest first' }),
  })
  .meta({
    id: 'Milestone',
    example: { ref: 'draft', title: 'First draft', amount: '40.00', status: 'OPEN', ...untouchedMilestone },
  });
export type MilestoneRecord = z.infer<typeof milestone>;

const exampleDispute = {
  id: 'dsp_01JB2M3N4P5Q6R7S8T9V0W1X2Y',
  orderId: 'ord_01JB2M3N4P5Q6R7S8T9V0W1X2Y',
  openedBy: 'BUYER',
  reason: 'NOT_DELIVERED',
  evidence: ['https://files.example/chat.pdf'],
  status: 'OPEN',
  assignedTo: null,
  resolutionDecision: null,
  decisionNote: null,
  releaseAmount: null,
  refundAmount: null,
  resolvedBy: null,
  createdAt: '2026-01-31T12:02:00.123456Z',
  resolvedAt: null,
  milestoneRef: null,
  respondBy: null,
  decideBy: null,
  onNoResponse: 'none',
  evidenceEntries: [],
} as const;

const disputeEvidence = z
  .object({ text: textOrNull, url: textOrNull, by: z.enum(disputeParties), at: instant })
  .meta({ id: 'DisputeEvidence' });
export type DisputeEvidenceRecord = z.infer<typeof disputeEvidence>;

const amountOrNull = amountOut.nullable().meta({ description: 'Null until resolved' });

export const dispute = z
  .object({
    id: id('dsp'),
    orderId: id('ord'),
    openedBy: z.enum(disputeParties),
    reason: z.enum(disputeReasons),
    evidence: z.array(z.string()).nullable().meta({ description: 'References such as URLs; null if there are none' }),
    status: z.enum(disputeStatuses),
    assignedTo: textOrNull.meta({ description: 'Null until assigned' }),
    resolutionDecision: z.enum(disputeDecisions).nullable().meta({ description: 'Null until resolved' }),
    decisionNote: textOrNull.meta({ description: 'Null until resolved, or if there is no note' }),
    releaseAmount: amountOrNull.meta({ description: 'Amount for the seller before the fee; null until resolved' }),
    refundAmount: amountOrNull.meta({ description: 'Amount for the buyer; null until resolved' }),
    resolvedBy: textOrNull.meta({ description: 'Null until resolved' }),
    createdAt: instant,
    resolvedAt: happenedAt,
    milestoneRef: textOrNull.meta({ description: 'The milestone that it is about; null for the whole order' }),
    respondBy: instant.nullable().meta({ description: 'Until when the other side can respond; null without a deadline' }),
    decideBy: instant.nullable().meta({ description: 'When it is overdue; null without a deadline' }),
    onNoResponse: z.enum(noResponseRules).meta({
      description: '`opener`: the side that opened it wins if the other side has not responded in time',
    }),
    evidenceEntries: z.array(disputeEvidence).meta({ description: 'Evidence that was added later, oldest first' }),
  })
  .meta({ id: 'Dispute', example: exampleDispute });
export type DisputeRecord = z.infer<typeof dispute>;

const exampleOrder = {
  id: 'ord_01JB2M3N4P5Q6R7S8T9V0W1X2Y',
  clientOrderRef: 'cart-1042',
  buyerId: 'usr_01JB2M3N4P5Q6R7S8T9V0W1X2Y',
  sellerId: 'usr_01JB2M3N4P5Q6R7S8T9V0W1X2Z',
  amount: '100.00',
  currency: 'USD',
  status: 'ORDER_CREATED',
  title: 'Logo design',
  description: null,
  metadata: { platformFee: 5 },
  platformFee: 5,
  escrow: null,
  dispute: null,
  milestones: [{ ref: 'draft', title: 'First draft', amount: '100.00', status: 'OPEN', ...untouchedMilestone }],
  closeReason: null,
  operation: null,
  amounts: { funded: '0.00', released: '0.00', refunded: '0.00', disputed: '0.00', inEscrow: '0.00' },
  releaseMode: 'order',
  reviewPeriod: null,
  deliverBy: null,
  onNotDelivered: 'none',
  createdAt: '2026-01-31T12:00:00.123456Z',
  updatedAt: '2026-01-31T12:00:00.123456Z',
} as const;

const exampleMilestone = {
  ref: 'draft',
  title: 'First draft',
  amount: '100.00',
  status: 'COMPLETED',
  ...untouchedMilestone,
  completedAt: '2026-01-31T12:02:00.123456Z',
} as const;

export const orderOperations = ['reserve', 'cancel', 'create-escrow', 'fund', 'release', 'refund', 'resolve-dispute'] as const;

const operation = z.object({
  name: z.enum(orderOperations),
  startedAt: instant,
});

/** What happens if nothing was submitted by `deliverBy`. */
export const notDeliveredRules = ['none', 'refund'] as const;
export type NotDeliveredRule = (typeof notDeliveredRules)[number];

const orderAmounts = z
  .object({ funded: amountOut, released: amountOut, refunded: amountOut, disputed: amountOut, inEscrow: amountOut })
  .meta({ description: 'What was paid into the escrow, and where it is: the other four add up to `funded`' });

export const order = z
  .object({
    id: id('ord'),
    clientOrderRef: textOrNull.meta({ description: 'Your own reference; unique within a marketplace' }),
    buyerId: id('usr'),
    sellerId: id('usr'),
    amount: amountOut,
    currency,
    status: z.enum(orderStatuses),
    title: z.string().meta({ description: 'Empty if there is none' }),
    description: textOrNull,
    metadata: z.record(z.string(), z.unknown()),
    platformFee: z.number().meta({ description: 'Platform fee of this order, as a percentage of the amount' }),
    escrow: escrow.nullable(),
    dispute: dispute.nullable().meta({ description: 'The latest dispute; null if there is none' }),
    milestones: z.array(milestone),
    closeReason: z.enum(closeReasons).nullable().meta({ description: 'Null until the order is CLOSED' }),
    operation: operation.nullable().meta({ description: 'What the platform is carrying out on the order; null at rest' }),
    amounts: orderAmounts,
    releaseMode: z.enum(releaseModes).meta({ description: 'Whether it is paid out as a whole or milestone by milestone' }),
    reviewPeriod: duration
      .nullable()
      .meta({ description: 'How long a submitted milestone is reviewed; null: no automatic release' }),
    deliverBy: instant.nullable(),
    onNotDelivered: z.enum(notDeliveredRules),
    createdAt: instant,
    updatedAt: instant,
  })
  .meta({ id: 'Order', example: exampleOrder });
export type OrderRecord = z.infer<typeof order>;

export const orderWithMilestone = order
  .extend({ milestone: milestone.meta({ description: 'The milestone of the request' }) })
  .meta({
    id: 'OrderWithMilestone',
    example: {
      ...exampleOrder,
      status: 'IN_PROGRESS',
      milestones: [exampleMilestone],
      milestone: exampleMilestone,
    },
  });
export type OrderWithMilestoneRecord = z.infer<typeof orderWithMilestone>;

export const openedDispute = dispute
  .extend({ order: order.meta({ description: 'The order after the dispute was opened' }) })
  .meta({
    id: 'OpenedDispute',
    example: { ...exampleDispute, order: { ...exampleOrder, status: 'DISPUTED', dispute: exampleDispute } },
  });
export type OpenedDisputeRecord = z.infer<typeof openedDispute>;

export const disputeComment = z
  .object({
    id: id('cmt'),
    disputeId: id('dsp'),
    text: z.string(),
    author: z.string().meta({ description: 'The given author; otherwise the id of the API key, or `master`' }),
    createdAt: instant,
  })
  .meta({
    id: 'DisputeComment',
    example: {
      id: 'cmt_01JB2M3N4P5Q6R7S8T9V0W1X2Y',
      disputeId: 'dsp_01JB2M3N4P5Q6R7S8T9V0W1X2Y',
      text: 'The seller sent the tracking number.',
      author: 'agent-3',
      createdAt: '2026-01-31T12:03:00.123456Z',
    },
  });
export type DisputeCommentRecord = z.infer<typeof disputeComment>;
