import { z } from 'zod';
import { MalformedEnvelope } from '../ledger-network/envelope.js';
import { outerHash } from '../ledger-network/find-transaction.js';
import { closeTimeOf } from '../ledger-network/ledger-view.js';
import type { Network } from '../ledger-network/network.js';
import type { QueueStatus } from '../ledger-network/pool.js';
import { invalidResultXdr } from '../ledger-network/result-xdr.js';
import type { SubmittedTransaction } from '../ledger-network/submitted-transaction.js';
import { InvalidTransaction } from '../ledger-network/validity.js';
import { RpcError, parseParams } from './json-rpc.js';

const paramsShape = z.object({ transaction: z.string() });

/** `sendTransaction`: only the result of queueing. Without a ledger timer a queued transaction lands at once. */
export function sendTransaction(network: Network, transaction: SubmittedTransaction) {
  try {
    return queuedTransaction(network, transaction, network.queue(transaction));
  } catch (error) {
    if (!(error instanceof InvalidTransaction)) throw error;
    return { ...queuedTransaction(network, transaction, 'ERROR'), errorResultXdr: invalidResultXdr(error) };
  }
}

export function queuedTransaction(network: Network, transaction: SubmittedTransaction, status: QueueStatus | 'ERROR') {
  const { head } = network.view();
  return {
    status,
    hash: outerHash(transaction),
    latestLedger: head.sequence,
    latestLedgerCloseTime: String(closeTimeOf(head)),
  };
}

export function submittedTransaction(network: Network, params: unknown): SubmittedTransaction {
  try {
    return network.parse(parseParams(paramsShape, params).transaction);
  } catch (error) {
    if (error instanceof MalformedEnvelope) throw new RpcError('invalidParams', `invalid_xdr: ${error.message}`);
    throw error;
  }
}
