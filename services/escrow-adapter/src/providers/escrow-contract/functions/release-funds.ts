import type { ContractFunction, EscrowCall } from '../contract-function.js';
import { address } from '@holdfast/ledger-network/expectations';
import { callFeeUnitsMax } from './fees.js';
import { feeAddress } from './shared-arguments.js';

/** Pays a single-release contract out to its receiver. The contract pays from its own balance, so it needs no authorization. */
export const releaseFunds: ContractFunction<EscrowCall> = {
  name: 'release_funds',
  signedBy: 'buyer',
  args: (call) => [['release_signer', address(call.signer)], feeAddress(call)],
  authorizes: () => [],
  feeUnitsMax: callFeeUnitsMax,
};

export const releaseFundsMainnet: ContractFunction<EscrowCall> = {
  ...releaseFunds,
  args: (call) => [['release_signer', address(call.signer)]],
};
