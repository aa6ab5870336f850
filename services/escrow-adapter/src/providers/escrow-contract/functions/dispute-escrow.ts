import type { ContractFunction, EscrowCall } from '../contract-function.js';
import { address } from '@holdfast/ledger-network/expectations';
import { callFeeUnitsMax } from './fees.js';

/** Opens a dispute on a single-release contract. Moves no tokens. */
export const disputeEscrow: ContractFunction<EscrowCall> = {
  name: 'dispute_escrow',
  signedBy: 'buyer',
  args: ({ signer }) => [['signer', address(signer)]],
  authorizes: () => [],
  feeUnitsMax: callFeeUnitsMax,
};
