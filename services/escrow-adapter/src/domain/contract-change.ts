import { moved } from '@holdfast/kernel/states';
import type { Addresses, Contract } from './contract.js';
import { contractMoves, type ContractMove } from './contract-states.js';

export type ContractChange = {
  readonly move?: ContractMove;
  readonly addresses?: Addresses;
  readonly contractId?: string;
  readonly isDisputeKnown?: boolean;
  readonly milestonesKnown?: readonly number[];
};

/** The next version of the contract. */
export function changedContract(contract: Contract, { move, ...changes }: ContractChange): Contract {
  const status = move === undefined ? contract.status : moved(contractMoves, move, contract.status);
  return { ...contract, ...changes, status, version: contract.version + 1 };
}
