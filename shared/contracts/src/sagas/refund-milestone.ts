import { milestonePayoutSteps } from './milestone-payout-steps.js';
import { saga } from './saga.js';

const summary = 'Refunds one milestone to the buyer from the contract.';

export const refundMilestoneSaga = saga(
  'refund-milestone',
  summary,
  milestonePayoutSteps({
    settles: 'disputes the milestone (buyer) and resolves it to the buyer (platform)',
    calls: ['dispute', 'resolve'],
    pays: 'credits the buyer',
    ends: 'the milestone is REFUNDED',
    reverts: 'the milestone has its earlier status and no operation',
  }),
);
