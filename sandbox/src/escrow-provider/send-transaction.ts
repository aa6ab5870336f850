import { MalformedEnvelope } from '../ledger-network/envelope.js';
import type { Network } from '../ledger-network/network.js';
import { NotLanded } from '../ledger-network/submissions.js';
import type { SubmittedTransaction } from '../ledger-network/submitted-transaction.js';
import { InvalidTransaction } from '../ledger-network/validity.js';
import type { LandedTransaction } from '../store/records.js';
import type { RouteResponse } from '../web/route.js';
import { listedEscrow } from './escrow-view.js';
import { escrowFaultResponses, refusal } from './responses.js';

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
export async function sendTransaction(network: Network, transaction: SubmittedTransaction): Promise<RouteResponse> {
  try {
    return landedResponse(network, await network.submit(transaction));
  } catch (error) {
    if (error instanceof InvalidTransaction) return refusal(`The transaction was refused by the network: ${error.code}`);
    if (!(error instanceof NotLanded)) throw error;
    return error.reason === 'timeout' ? escrowFaultResponses.failedAfter() : refusal('The network is busy, try again later', 500);
  }
}

const success = { status: 'SUCCESS', message: 'The transaction has been successfully sent to the network' } as const;

/** The response to a transaction that has landed, other than a deployment. */
export function successResponse(): RouteResponse {
  return { status: 200, json: success };
}

function landedResponse({ store }: Network, landed: LandedTransaction): RouteResponse {
  const { failure } = landed;
  if (failure !== undefined) return refusal(`${failure.reason} (tx_failed: ${failure.operationCodes.join()})`);
  const created = landed.operations
    .map((operation) => 'createdContractId' in operation && operation.createdContractId)
    .find(Boolean);
  const escrow = typeof created === 'string' ? store.find('escrows', created) : undefined;
  return {
    status: 200,
    json: escrow === undefined ? success : { ...success, contractId: escrow.contractId, escrow: listedEscrow(escrow) },
  };
}
