import { moved } from '@holdfast/kernel/states';
import type { Addresses, Contract, SettledMilestone } from './contract.js';
import { contractMoves, type ContractMove } from './contract-states.js';

export type ContractChange = {
  readonly move?: ContractMove;
  readonly addresses?: Addresses;
  readonly contractId?: string;
  readonly isDisputeKnown?: boolean;
  readonly disputesKnown?: readonly number[];
  readonly milestonesKnown?: readonly number[];
  readonly milestonesSettled?: readonly SettledMilestone[];
  /** The ledger of a transaction that has landed on the contract. */
  readonly lastLedger?: number | undefined;
};

/** The contract after a change that this many messages report. */
export function changedContract(
  contract: Contract,
  { move, lastLedger = 0, ...changes }: ContractChange,
  messageCount = 1,
): Contract {
  const status = move === undefined ? contract.status : moved(contractMoves, move, contract.status);
  const last = Math.max(contract.lastLedger, lastLedger);
  return { ...contract, ...changes, status, lastLedger: last, version: contract.version + messageCount };
}

/** The change that records these milestones as paid out. After the last one the contract is settled. */
export function withSettled({ milestones }: Contract, milestonesSettled: readonly SettledMilestone[]): ContractChange {
  return { milestonesSettled, ...(milestonesSettled.length === milestones.length ? { move: 'settle' } : {}) };
}
