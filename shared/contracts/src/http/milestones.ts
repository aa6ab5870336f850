import { z } from 'zod';
import { disputeParties, disputeReasons } from '../messages/index.js';
import { freeText, id, instantIn, noBody, noQuery, pageQuery, textMax } from '../shapes/index.js';
import { milestone, orderWithMilestone } from './order-shapes.js';
import { retryByState, route } from './route.js';

const path = '/orders/{id}/milestones';
const ofOrder = {
  service: 'orders',
  family: 'order',
  malformedParams: 'ORDER_NOT_FOUND',
  idempotent: false,
  params: z.strictObject({ id: id('ord') }),
} as const;
const onMilestone = {
  ...ofOrder,
  method: 'post',
  auth: 'write',
  retry: retryByState,
  // Any text is accepted as a reference; an unknown one is MILESTONE_NOT_FOUND.
  params: z.strictObject({
    id: id('ord'),
    ref: z.string().meta({ description: 'Reference of the milestone', example: 'draft' }),
  }),
  query: noQuery,
  success: { status: 201, data: orderWithMilestone },
} as const;
const errors = ['ORDER_NOT_FOUND', 'MILESTONE_NOT_FOUND', 'INVALID_STATE'] as const;

/** Evidence is a text, an address, or both. */
export const evidenceIn = {
  text: freeText(textMax.note).min(1).optional().meta({ example: 'Three drafts, as agreed.' }),
  url: z
    .url({ protocol: /^https$/, error: 'must be an https URL' })
    .max(2_000)
    .optional()
    .meta({ description: 'https only', example: 'https://files.example/draft.pdf' }),
};

/** For `superRefine`: the field that is missing. */
export function requireTextOrUrl(
  given: { readonly text?: unknown; readonly url?: unknown },
  issues: { readonly addIssue: (issue: { code: 'custom'; path: string[]; message: string }) => void },
): void {
  if (given.text === undefined && given.url === undefined)
    issues.addIssue({ code: 'custom', path: ['text'], message: 'or url must be given' });
}

const evidence = z.strictObject(evidenceIn).superRefine(requireTextOrUrl);
const reason = freeText(textMax.reason).min(1);

export const listMilestones = route({
  ...ofOrder,
  name: 'orders.listMilestones',
  method: 'get',
  path,
  summary: 'List the milestones of an order',
  description: 'In the order in which they were created. The cursor is the `ref` of a milestone.',
  auth: 'read',
  query: z.strictObject({ limit: pageQuery.limit, cursor: pageQuery.cursor }),
  body: noBody,
  success: { status: 200, data: milestone, list: true },
  errors: ['ORDER_NOT_FOUND'],
});

export const completeMilestone = route({
  ...onMilestone,
  name: 'orders.completeMilestone',
  path: `${path}/{ref}/complete`,
  summary: 'Complete a milestone',
  description:
    "The buyer's approval; nothing is paid. The order must be IN_PROGRESS and the milestone OPEN or SUBMITTED. Returns the order with the completed `milestone` beside its fields.",
  body: noBody,
  errors: [...errors],
});

export const submitMilestone = route({
  ...onMilestone,
  name: 'orders.submitMilestone',
  path: `${path}/{ref}/submit`,
  summary: 'Submit the work of a milestone',
  description:
    'By the seller. The order must be IN_PROGRESS and the milestone OPEN. With a `reviewPeriod` the review begins: at `autoReleaseAt` the milestone is released, unless changes were requested or a dispute was opened.',
  body: z.strictObject({ evidence: evidence.optional() }),
  errors: [...errors, 'LIMIT_EXCEEDED'],
});

export const requestMilestoneChanges = route({
  ...onMilestone,
  name: 'orders.requestMilestoneChanges',
  path: `${path}/{ref}/request-changes`,
  summary: 'Request changes to a submitted milestone',
  description:
    'By the buyer. The milestone must be SUBMITTED and is OPEN again. Its review ends; the next submission starts a new one.',
  body: z.strictObject({ reason: reason.meta({ description: 'Recorded in the audit log', example: 'The logo is too small' }) }),
  errors: [...errors],
});

export const extendMilestoneReview = route({
  ...onMilestone,
  name: 'orders.extendMilestoneReview',
  path: `${path}/{ref}/extend-review`,
  summary: 'Extend the review of a milestone',
  description:
    'The milestone must be SUBMITTED and have a running review. `until` must be later than now and than `autoReleaseAt`, and at most 30 days after the first `autoReleaseAt` of this submission.',
  body: z.strictObject({ until: instantIn }),
  errors: [...errors],
});

export const releaseMilestone = route({
  ...onMilestone,
  name: 'orders.releaseMilestone',
  path: `${path}/{ref}/release`,
  summary: 'Release a milestone to the seller',
  description:
    'Pays the amount of the milestone to the seller, less its share of the platform fee. Needs `releaseMode` milestone, an order that is IN_PROGRESS and a milestone that is SUBMITTED or COMPLETED. With the last milestone the order is CLOSED. Calls on different milestones do not exclude each other.',
  body: z.strictObject({}),
  waitsFor: 'saga',
  errors: [...errors, 'PLATFORM_STOPPED', 'PROVIDER_TIMEOUT'],
});

export const refundMilestone = route({
  ...onMilestone,
  name: 'orders.refundMilestone',
  path: `${path}/{ref}/refund`,
  summary: 'Refund a milestone to the buyer',
  description:
    'Returns the full amount of the milestone to the buyer. Needs `releaseMode` milestone, an order that is IN_PROGRESS and a milestone that is OPEN, SUBMITTED or COMPLETED.',
  body: z.strictObject({ reason: reason.meta({ description: 'Recorded in the audit log', example: 'Seller cannot deliver' }) }),
  waitsFor: 'saga',
  errors: [...errors, 'PLATFORM_STOPPED', 'PROVIDER_TIMEOUT'],
});

export const disputeMilestone = route({
  ...onMilestone,
  name: 'orders.disputeMilestone',
  path: `${path}/{ref}/dispute`,
  summary: 'Open a dispute about a milestone',
  description:
    'Needs `releaseMode` milestone, an order that is IN_PROGRESS and a milestone that is OPEN, SUBMITTED or COMPLETED. It is DISPUTED until the dispute is resolved; the other milestones continue.',
  body: z.strictObject({ openedBy: z.enum(disputeParties), reason: z.enum(disputeReasons), evidence: evidence.optional() }),
  errors: [...errors],
});

export const milestoneRoutes = {
  listMilestones,
  completeMilestone,
  submitMilestone,
  requestMilestoneChanges,
  extendMilestoneReview,
  releaseMilestone,
  refundMilestone,
  disputeMilestone,
};
