import { z } from 'zod';
import { findTransaction } from '../ledger-network/find-transaction.js';
import type { Store } from '../store/store.js';
import type { RouteResponse } from '../web/route.js';
import type { EscrowIndex } from './escrow-index.js';
import { refusal, refusedFields } from './responses.js';

/** The published interface and the provider's own client spell it differently. */
export const updatePaths = ['/indexer/update-from-txhash', '/indexer/update-from-txHash'] as const;

const request = z.strictObject({ txHash: z.string().regex(/^[0-9a-f]{64}$/i, 'must be the hash of a transaction') });

/** Informs the index about a transaction that was sent to the network directly. */
export function updateFromHash(store: Store, index: EscrowIndex, body: unknown): RouteResponse {
  const parsed = request.safeParse(body);
  if (!parsed.success) return refusedFields(parsed.error);
  const landed = findTransaction(store.find, parsed.data.txHash.toLowerCase());
  if (landed === undefined || landed.failure !== undefined) return refusal('The transaction was not found', 404);
  for (const operation of landed.operations) {
    if (operation.kind === 'contract_call') index.catchUp(operation.createdContractId ?? operation.contractId);
  }
  return { status: 200, json: { status: 'SUCCESS', message: 'The escrow has been updated' } };
}
