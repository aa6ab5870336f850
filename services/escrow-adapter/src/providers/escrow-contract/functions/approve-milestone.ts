import type { ContractFunction, MilestoneCall } from '../contract-function.js';
import { address } from '@holdfast/ledger-network/expectations';
import { callFeeUnitsMax } from './fees.js';
import { milestoneIndex } from './shared-arguments.js';

/** Approves a delivered milestone, for good. Moves no tokens. */
export const approveMilestone: ContractFunction<MilestoneCall> = {
  name: 'approve_milestone',
  signedBy: 'buyer',
  args: (call) => [milestoneIndex(call), ['approver', address(call.signer)]],
  authorizes: () => [],
  feeUnitsMax: callFeeUnitsMax,
};
