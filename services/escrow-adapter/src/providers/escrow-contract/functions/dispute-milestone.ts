import type { ContractFunction, MilestoneCall } from '../contract-function.js';
import { address } from '@holdfast/ledger-network/expectations';
import { callFeeUnitsMax } from './fees.js';
import { milestoneIndex } from './shared-arguments.js';

/** Opens a dispute on one milestone of a multi-release contract. Moves no tokens. */
export const disputeMilestone: ContractFunction<MilestoneCall> = {
  name: 'dispute_milestone',
  signedBy: 'buyer',
  args: (call) => [milestoneIndex(call), ['signer', address(call.signer)]],
  authorizes: () => [],
  feeUnitsMax: callFeeUnitsMax,
};
