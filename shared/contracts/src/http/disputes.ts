import { z } from 'zod';
import { disputeDecisions, disputeParties, disputeStatuses } from '../messages/index.js';
import { amountOut, freeText, id, noBody, noParams, noQuery, opaqueId, pageQuery, partIn, textMax } from '../shapes/index.js';
import { evidenceIn, requireTextOrUrl } from './milestones.js';
import { dispute, disputeComment } from './order-shapes.js';
import { retryByState, route } from './route.js';

const path = '/disputes';
const ofDisputes = { service: 'orders', family: 'order', malformedParams: 'DISPUTE_NOT_FOUND', idempotent: false } as const;
const onDispute = { ...ofDisputes, params: z.strictObject({ id: id('dsp') }) } as const;
const operation = { ...onDispute, method: 'post', auth: 'support', retry: retryByState, query: noQuery } as const;

const parts = ['releaseAmount', 'refundAmount'] as const;

const resolution = z
  .strictObject({
    decision: z.enum(disputeDecisions).meta({ description: 'Who gets the money', example: 'SPLIT' }),
    releaseAmount: partIn.optional().meta({
      aliases: ['sellerAmount'],
      description: 'Amount for the seller; only with SPLIT. Also accepted as `sellerAmount`',
      example: '60.00',
    }),
    refundAmount: partIn.optional().meta({
      aliases: ['buyerAmount'],
      description: 'Amount for the buyer; only with SPLIT. Also accepted as `buyerAmount`',
      example: '40.00',
    }),
    note: freeText(textMax.note)
      .optional()
      .meta({ description: 'Explanation of the decision', example: 'Half of the work was delivered.' }),
  })
  .superRefine(
    (given, issues) => {
      const isSplit = given.decision === 'SPLIT';
      for (const part of parts) {
        const isGiven = given[part] !== undefined;
        if (isSplit && !isGiven) issues.addIssue({ code: 'custom', path: [part], message: 'is missing' });
        // Refused rather than ignored, because an amount without effect is probably a mistake.
        if (isGiven && !isSplit)
          issues.addIssue({ code: 'custom', path: ['decision'], message: `must be SPLIT where ${part} is given` });
      }
    },
    { when: ({ issues }) => issues.length === 0 },
  );

export const listDisputes = route({
  ...ofDisputes,
  name: 'disputes.list',
  method: 'get',
  path,
  summary: 'List disputes',
  description: 'Newest first.',
  auth: 'read',
  params: noParams,
  query: z.strictObject({
    ...pageQuery,
    orderId: opaqueId('ord').optional(),
    status: z.enum(disputeStatuses).optional(),
    openedBy: z.enum(disputeParties).optional(),
    overdue: z
      .enum(['true', 'false'])
      .optional()
      .meta({ description: '`true`: only those that were not decided by `decideBy`', example: 'true' }),
  }),
  body: noBody,
  success: { status: 200, data: dispute, list: true },
  errors: [],
});

export const getDispute = route({
  ...onDispute,
  name: 'disputes.get',
  method: 'get',
  path: `${path}/{id}`,
  summary: 'Get a dispute',
  auth: 'read',
  query: noQuery,
  body: noBody,
  success: { status: 200, data: dispute },
  errors: ['DISPUTE_NOT_FOUND'],
});

export const assignDispute = route({
  ...operation,
  name: 'disputes.assign',
  path: `${path}/{id}/assign`,
  summary: 'Assign a dispute to an agent',
  description: 'The dispute must be OPEN and becomes UNDER_REVIEW.',
  body: z.strictObject({
    assignedTo: freeText(textMax.reference).min(1).meta({ description: 'Your own id of the agent', example: 'agent-3' }),
  }),
  success: { status: 200, data: dispute },
  errors: ['DISPUTE_NOT_FOUND', 'INVALID_STATE'],
});

/** What a resolution would pay. */
export const resolutionPreview = z
  .object({
    sellerAmount: amountOut.meta({ description: 'For the seller, before the fee' }),
    platformFee: amountOut,
    sellerNet: amountOut.meta({ description: 'Credited to the seller' }),
    buyerAmount: amountOut.meta({ description: 'Credited to the buyer' }),
    providerCost: amountOut.meta({ description: "The escrow provider's fee, which the platform bears" }),
  })
  .meta({ id: 'ResolutionPreview' });
export type ResolutionPreviewRecord = z.infer<typeof resolutionPreview>;

export const resolveDispute = route({
  ...operation,
  query: z.strictObject({
    preview: z
      .enum(['true', 'false'])
      .optional()
      .meta({ description: '`true`: nothing changes; returns what would be paid', example: 'true' }),
  }),
  name: 'disputes.resolve',
  path: `${path}/{id}/resolve`,
  summary: 'Resolve a dispute',
  description:
    'Pays the seller, the buyer or both. The dispute must be UNDER_REVIEW. With SPLIT, the two amounts must add up to the amount in dispute: the amount of the milestone, or what the order has in escrow. The platform fee is deducted from the amount for the seller. The dispute of a whole order closes it. With `preview=true` the same checks are made, nothing is paid, and the amounts are returned.',
  body: resolution,
  refusals: { releaseAmount: 'INVALID_AMOUNT', refundAmount: 'INVALID_AMOUNT' },
  success: { status: 200, data: z.union([dispute, resolutionPreview]) },
  waitsFor: 'saga',
  errors: ['DISPUTE_NOT_FOUND', 'INVALID_STATE', 'INVALID_AMOUNT', 'PLATFORM_STOPPED', 'PROVIDER_TIMEOUT'],
});

export const addDisputeEvidence = route({
  ...operation,
  auth: 'write',
  name: 'disputes.addEvidence',
  path: `${path}/{id}/evidence`,
  summary: 'Add evidence to a dispute',
  description:
    'Until `respondBy`, or until the dispute is RESOLVED if there is no such time. The same evidence is stored once; a dispute takes 100 pieces.',
  body: z.strictObject({ ...evidenceIn, by: z.enum(disputeParties) }).superRefine(requireTextOrUrl),
  success: { status: 201, data: dispute },
  errors: ['DISPUTE_NOT_FOUND', 'INVALID_STATE', 'LIMIT_EXCEEDED'],
});

export const addDisputeComment = route({
  ...operation,
  name: 'disputes.createComment',
  path: `${path}/{id}/comments`,
  summary: 'Add a comment to a dispute',
  retry: 'A retry is not protected: a repeated request adds the comment again.',
  body: z.strictObject({
    text: freeText(textMax.note).min(1).meta({ example: 'The seller sent the tracking number.' }),
    author: freeText(textMax.reference)
      .min(1)
      .optional()
      .meta({ description: 'Defaults to the credential of the request', example: 'agent-3' }),
  }),
  success: { status: 201, data: disputeComment },
  errors: ['DISPUTE_NOT_FOUND'],
});

export const listDisputeComments = route({
  ...onDispute,
  name: 'disputes.listComments',
  method: 'get',
  path: `${path}/{id}/comments`,
  summary: 'List the comments on a dispute',
  description: 'Newest first.',
  auth: 'support',
  query: z.strictObject(pageQuery),
  body: noBody,
  success: { status: 200, data: disputeComment, list: true },
  errors: ['DISPUTE_NOT_FOUND'],
});

export const disputeRoutes = {
  listDisputes,
  getDispute,
  assignDispute,
  addDisputeEvidence,
  resolveDispute,
  addDisputeComment,
  listDisputeComments,
};
