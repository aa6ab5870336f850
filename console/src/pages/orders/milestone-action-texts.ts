import type { Milestone, Order } from '@holdfast/sdk';
import { formatAmount } from '../../data/format-amount.js';
import { formatDuration } from '../../data/format-time.js';
import type { MilestoneAction } from './allowed-actions.js';

export const milestoneLabels: Readonly<Record<MilestoneAction, string>> = {
  submit: 'Submit work',
  complete: 'Approve',
  requestChanges: 'Request changes',
  extendReview: 'Extend review',
  release: 'Release to seller',
  refund: 'Refund buyer',
  dispute: 'Open dispute',
};

/** What an action will do with this milestone. */
export function consequenceOf(action: MilestoneAction, order: Order, milestone: Milestone): string {
  const money = `${formatAmount(milestone.amount)} ${order.currency}`;
  const texts: Readonly<Record<MilestoneAction, string>> = {
    submit: submitted(order),
    complete: 'The buyer approves the work. Nothing is paid yet.',
    requestChanges: 'The milestone is open again, and a review that runs ends without a release.',
    extendReview: 'The automatic release moves to the given time, at most 30 days after the first one.',
    release: `${money} is paid to the seller, less its share of the platform fee. This cannot be taken back.`,
    refund: `${money} goes back to the buyer. The seller gets nothing of it. This cannot be taken back.`,
    dispute: 'The milestone is paid out by the decision of the dispute only.',
  };
  return texts[action];
}

function submitted({ reviewPeriod, releaseMode }: Order): string {
  if (reviewPeriod === null) return 'The seller hands the work in. The buyer approves it, or requests changes.';
  const released = releaseMode === 'milestone' ? 'the milestone' : 'the order, with the last review,';
  return `The seller hands the work in, and the review begins. After ${formatDuration(reviewPeriod)} ${released} is released unless the buyer objects.`;
}
