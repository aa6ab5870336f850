import { z } from 'zod';
import { amountOut, id, instant } from '../shapes/index.js';
import { payoutCause } from './escrow.js';
import { message } from './message.js';

export const milestoneStatuses = ['OPEN', 'SUBMITTED', 'COMPLETED', 'DISPUTED', 'RELEASED', 'REFUNDED', 'SPLIT'] as const;
export type MilestoneStatus = (typeof milestoneStatuses)[number];

const orderMessage = { version: 1, aggregateType: 'Order', visibility: 'public' } as const;
const adapterMessage = { ...orderMessage, publisher: 'escrow-adapter' } as const;
const ordersMessage = { ...orderMessage, publisher: 'orders' } as const;

const milestoneRef = z.string().meta({ example: 'draft' });
const paidOut = { orderId: id('ord'), escrowId: id('esc'), milestoneRef, amount: amountOut };

export const milestoneReleased = message({
  ...adapterMessage,
  type: 'milestone.released',
  summary: 'The escrow contract paid the seller for a milestone. `amount` is before the fee.',
  payload: z.strictObject({
    ...paidOut,
    platformFee: amountOut,
    netAmount: amountOut.meta({ description: 'Amount paid to the seller' }),
    releasedAt: instant,
    cause: payoutCause,
  }),
});

export const milestoneRefunded = message({
  ...adapterMessage,
  type: 'milestone.refunded',
  summary: 'The escrow contract refunded the buyer for a milestone.',
  payload: z.strictObject({ ...paidOut, refundedAt: instant, cause: payoutCause }),
});

const changed = {
  orderId: id('ord'),
  milestoneRef,
  milestoneStatus: z.enum(milestoneStatuses),
  at: instant,
};
const dueAt = instant.meta({ description: 'When the milestone is released unless a party objects' });

export const milestoneSubmitted = message({
  ...ordersMessage,
  type: 'milestone.submitted',
  summary: 'The seller submitted the work of a milestone. `dueAt` is the end of the review period.',
  payload: z.strictObject({ ...changed, dueAt: dueAt.optional() }),
});

export const milestoneChangesRequested = message({
  ...ordersMessage,
  type: 'milestone.changes_requested',
  summary: 'The buyer requested changes to a submitted milestone. Its review has ended.',
  payload: z.strictObject(changed),
});

export const milestoneReviewExtended = message({
  ...ordersMessage,
  type: 'milestone.review_extended',
  summary: 'The review of a milestone ends later.',
  payload: z.strictObject({
    ...changed,
    dueAt,
    cause: z.enum(['outage']).optional().meta({ description: 'Present if an outage of the platform caused it' }),
  }),
});

export const milestoneReleaseDueSoon = message({
  ...ordersMessage,
  type: 'milestone.release_due_soon',
  summary: 'A milestone is released within 24 hours unless a party objects.',
  payload: z.strictObject({ ...changed, dueAt }),
});

export const milestoneDisputed = message({
  ...ordersMessage,
  type: 'milestone.disputed',
  summary: 'A dispute about a milestone was opened. Its amount stays in escrow until the dispute is resolved.',
  payload: z.strictObject(changed),
});

export const milestoneMessages = [
  milestoneReleased,
  milestoneRefunded,
  milestoneSubmitted,
  milestoneChangesRequested,
  milestoneReviewExtended,
  milestoneReleaseDueSoon,
  milestoneDisputed,
] as const;
