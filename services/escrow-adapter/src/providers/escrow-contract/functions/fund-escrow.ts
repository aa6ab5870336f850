import type { ContractFunction, FundingCall } from '../contract-function.js';
import { newEscrow } from '../escrow-struct.js';
import { address, i128 } from '@holdfast/ledger-network/expectations';
import { callFeeUnitsMax } from './fees.js';

/** Pays tokens into a new contract. The contract refuses if its stored terms are not the given ones. */
export const fundEscrow: ContractFunction<FundingCall> = {
  name: 'fund_escrow',
  signedBy: 'payer',
  args: ({ signer, escrow, units }) => [
    ['signer', address(signer)],
    ['expected_escrow', newEscrow(escrow)],
    ['amount', i128(units)],
  ],
  authorizes: ({ signer, contractId, escrow, units }) => [
    {
      contract: escrow.token,
      function: 'transfer',
      args: [
        ['from', address(signer)],
        ['to', address(contractId)],
        ['amount', i128(units)],
      ],
    },
  ],
  feeUnitsMax: callFeeUnitsMax,
};
