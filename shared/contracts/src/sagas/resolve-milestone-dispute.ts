import { milestonePayoutSteps } from './milestone-payout-steps.js';
import { saga } from './saga.js';

const summary = 'Executes the decision on the dispute of one milestone: pays the seller, the buyer, or both.';

export const resolveMilestoneDisputeSaga = saga(
  'resolve-milestone-dispute',
  summary,
  milestonePayoutSteps({
    settles: 'releases the milestone, or disputes it (buyer) and resolves it (platform)',
    calls: ['complete', 'approve', 'release', 'dispute', 'resolve'],
    pays: "pays the seller, the platform's fee and the buyer, as decided",
    ends: 'the dispute is RESOLVED, the milestone RELEASED, REFUNDED or SPLIT',
    reverts: 'the milestone is DISPUTED and the dispute UNDER_REVIEW, as before',
  }),
);
