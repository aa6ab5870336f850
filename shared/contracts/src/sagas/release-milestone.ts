import { milestonePayoutSteps } from './milestone-payout-steps.js';
import { saga } from './saga.js';

const summary = 'Pays the seller for one milestone from the contract.';

export const releaseMilestoneSaga = saga(
  'release-milestone',
  summary,
  milestonePayoutSteps({
    settles: 'completes the milestone (seller), approves and releases it (buyer)',
    calls: ['complete', 'approve', 'release'],
    pays: "pays the seller and the platform's fee",
    ends: 'the milestone is RELEASED',
    reverts: 'the milestone has its earlier status and no operation',
  }),
);
