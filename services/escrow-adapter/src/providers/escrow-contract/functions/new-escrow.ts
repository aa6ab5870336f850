import type { Call, ContractFunction } from '../contract-function.js';
import { newEscrow } from '../escrow-struct.js';
import { address, anyBytes, bytes, symbol, vec } from '@holdfast/ledger-network/expectations';
import { deploymentFeeUnitsMax } from './fees.js';

const saltBytes = 32;

/**
 * Deploys the contract of an order and stores its terms in it. The provider chooses the salt; the address of the new contract follows
 * from factory and salt (`contract-address.ts`).
 */
export const newSingleReleaseEscrow: ContractFunction = {
  name: 'tw_new_single_release_escrow',
  signedBy: 'buyer',
  args: ({ signer, code, escrow }: Call) => [
    ['signer', address(signer)],
    ['wasm_hash', bytes(code.wasmHash)],
    ['salt', anyBytes(saltBytes)],
    ['init_fn', symbol('initialize_escrow')],
    ['init_args', vec([newEscrow(escrow)])],
    ['constructor_args', vec([])],
  ],
  authorizes: () => [],
  feeUnitsMax: deploymentFeeUnitsMax,
};

export const newMultiReleaseEscrow: ContractFunction = {
  ...newSingleReleaseEscrow,
  name: 'tw_new_multi_release_escrow',
};
