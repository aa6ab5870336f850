import type { FaultOperation } from '../control/faults.js';
import { MalformedEnvelope } from '../ledger-network/envelope.js';
import type { Network } from '../ledger-network/network.js';
import type { SubmittedTransaction } from '../ledger-network/submitted-transaction.js';
import { InvalidTransaction } from '../ledger-network/validity.js';
import type { LandedTransaction } from '../store/records.js';
import type { RouteResponse } from '../web/route.js';
import { escrowView } from './escrow-view.js';
import { refusal } from './responses.js';

/** The operation of the provider to which a contract function belongs; other transactions have none. */
const stepOf: Readonly<Record<string, FaultOperation>> = {
  deploy_escrow: 'deploy',
  fund_escrow: 'fund',
  change_milestone_status: 'complete',
  approve_milestone: 'approve',
  release_funds: 'release',
  release_milestone_funds: 'release',
  dispute_escrow: 'dispute',
  dispute_milestone: 'dispute',
  resolve_dispute: 'resolve',
  resolve_milestone_dispute: 'resolve',
  withdraw_remaining_funds: 'resolve',
};

export function operationOf({ operations }: SubmittedTransaction): FaultOperation | undefined {
  const [operation] = operations;
  return operation?.kind === 'contract_call' ? stepOf[operation.functionName] : undefined;
}

/** Parses the envelope; returns a refusal where it is malformed. */
export function readTransaction(network: Network, signedXdr: string): SubmittedTransaction | RouteResponse {
  try {
    return network.parse(signedXdr);
  } catch (error) {
    if (error instanceof MalformedEnvelope) return refusal(`The transaction cannot be read: ${error.message}`);
    throw error;
  }
}

/** Submits the transaction to the network, and returns the result in the provider's format. */
export function sendTransaction(network: Network, transaction: SubmittedTransaction): RouteResponse {
  try {
    return landedResponse(network, network.submit(transaction));
  } catch (error) {
    if (error instanceof InvalidTransaction) return refusal(`The transaction was refused by the network: ${error.code}`);
    throw error;
  }
}

function landedResponse({ store }: Network, landed: LandedTransaction): RouteResponse {
  const { failure } = landed;
  if (failure !== undefined) return refusal(`${failure.reason} (tx_failed: ${failure.operationCodes.join()})`);
  const success = { status: 'SUCCESS', message: 'The transaction has been successfully sent to the network' };
  const created = landed.operations
    .map((operation) => 'createdContractId' in operation && operation.createdContractId)
    .find(Boolean);
  const escrow = typeof created === 'string' ? store.find('escrows', created) : undefined;
  return {
    status: 200,
    json: escrow === undefined ? success : { ...success, contractId: escrow.contractId, escrow: escrowView(escrow) },
  };
}
