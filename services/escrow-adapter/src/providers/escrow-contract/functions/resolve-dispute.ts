import type { ContractFunction, ResolutionCall } from '../contract-function.js';
import { address } from '@holdfast/ledger-network/expectations';
import { callFeeUnitsMax } from './fees.js';
import { distributions, feeAddress } from './shared-arguments.js';

/** Distributes the balance of a disputed single-release contract, as was decided. */
export const resolveDispute: ContractFunction<ResolutionCall> = {
  name: 'resolve_dispute',
  signedBy: 'platform',
  args: (call) => [['dispute_resolver', address(call.signer)], feeAddress(call), distributions(call)],
  authorizes: () => [],
  feeUnitsMax: callFeeUnitsMax,
};

export const resolveDisputeMainnet: ContractFunction<ResolutionCall> = {
  ...resolveDispute,
  args: (call) => [['dispute_resolver', address(call.signer)], distributions(call)],
};
