import type { ContractFunction, ResolutionCall } from '../contract-function.js';
import { address } from '@holdfast/ledger-network/expectations';
import { callFeeUnitsMax } from './fees.js';
import { distributions, feeAddress, milestoneIndex } from './shared-arguments.js';

/** Distributes the amount of one disputed milestone of a multi-release contract, as was decided. */
export const resolveMilestoneDispute: ContractFunction<ResolutionCall> = {
  name: 'resolve_milestone_dispute',
  signedBy: 'platform',
  args: (call) => [['dispute_resolver', address(call.signer)], milestoneIndex(call), feeAddress(call), distributions(call)],
  authorizes: () => [],
  feeUnitsMax: callFeeUnitsMax,
};

export const resolveMilestoneDisputeMainnet: ContractFunction<ResolutionCall> = {
  ...resolveMilestoneDispute,
  args: (call) => [['dispute_resolver', address(call.signer)], milestoneIndex(call), distributions(call)],
};
