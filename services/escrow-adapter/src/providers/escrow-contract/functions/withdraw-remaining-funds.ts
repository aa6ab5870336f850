import type { ContractFunction, ResolutionCall } from '../contract-function.js';
import { address } from '@holdfast/ledger-network/expectations';
import { callFeeUnitsMax } from './fees.js';
import { distributions, feeAddress } from './shared-arguments.js';

/** Distributes what a settled contract still holds. The fees are taken once more. */
export const withdrawRemainingFunds: ContractFunction<ResolutionCall> = {
  name: 'withdraw_remaining_funds',
  signedBy: 'platform',
  args: (call) => [['dispute_resolver', address(call.signer)], feeAddress(call), distributions(call)],
  authorizes: () => [],
  feeUnitsMax: callFeeUnitsMax,
};

export const withdrawRemainingFundsMainnet: ContractFunction<ResolutionCall> = {
  ...withdrawRemainingFunds,
  args: (call) => [['dispute_resolver', address(call.signer)], distributions(call)],
};
