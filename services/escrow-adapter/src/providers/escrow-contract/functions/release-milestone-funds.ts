import type { ContractFunction, MilestoneCall } from '../contract-function.js';
import { address } from '@holdfast/ledger-network/expectations';
import { callFeeUnitsMax } from './fees.js';
import { feeAddress, milestoneIndex } from './shared-arguments.js';

/** Pays one milestone of a multi-release contract out to its receiver, from the contract's own balance. */
export const releaseMilestoneFunds: ContractFunction<MilestoneCall> = {
  name: 'release_milestone_funds',
  signedBy: 'buyer',
  args: (call) => [['release_signer', address(call.signer)], feeAddress(call), milestoneIndex(call)],
  authorizes: () => [],
  feeUnitsMax: callFeeUnitsMax,
};

export const releaseMilestoneFundsMainnet: ContractFunction<MilestoneCall> = {
  ...releaseMilestoneFunds,
  args: (call) => [['release_signer', address(call.signer)], milestoneIndex(call)],
};
