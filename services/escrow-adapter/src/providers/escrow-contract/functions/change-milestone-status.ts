import { deliveredStatus } from '../../../domain/steps.js';
import type { ContractFunction, MilestoneCall } from '../contract-function.js';
import { absent, address, string } from '@holdfast/ledger-network/expectations';
import { callFeeUnitsMax } from './fees.js';
import { milestoneIndex } from './shared-arguments.js';

/** Marks a milestone as delivered. Moves no tokens. */
export const changeMilestoneStatus: ContractFunction<MilestoneCall> = {
  name: 'change_milestone_status',
  signedBy: 'seller',
  args: (call) => [
    milestoneIndex(call),
    ['new_status', string(deliveredStatus)],
    ['new_evidence', absent()],
    ['service_provider', address(call.signer)],
  ],
  authorizes: () => [],
  feeUnitsMax: callFeeUnitsMax,
};
