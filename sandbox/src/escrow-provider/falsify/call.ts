import { Address, StrKey } from '@stellar/stellar-sdk';
import { functionOf, required, type OpenedTransaction } from './opened-transaction.js';

const contractIdBytes = 32;
const otherContract = new Address(StrKey.encodeContract(Buffer.alloc(contractIdBytes, 'another contract'))).toScAddress();

export function callOtherContract({ calls }: OpenedTransaction): void {
  for (const call of calls) call.contractAddress(otherContract);
}

/** Another function that the same contract has; where there is one, with the same types of arguments. */
const otherFunctions: Readonly<Record<string, string>> = {
  tw_new_single_release_escrow: 'initialize_escrow',
  tw_new_multi_release_escrow: 'initialize_escrow',
  fund_escrow: 'update_escrow',
  change_milestone_status: 'approve_milestone',
  approve_milestone: 'change_milestone_status',
  release_funds: 'dispute_escrow',
  release_milestone_funds: 'dispute_milestone',
  dispute_escrow: 'release_funds',
  dispute_milestone: 'approve_milestone',
  resolve_dispute: 'withdraw_remaining_funds',
  resolve_milestone_dispute: 'withdraw_remaining_funds',
  withdraw_remaining_funds: 'resolve_milestone_dispute',
};

export function callOtherFunction(opened: OpenedTransaction): void {
  const other = required(otherFunctions[functionOf(opened)]);
  for (const call of opened.calls) call.functionName(other);
}
