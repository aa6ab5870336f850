import { createCommitBatcher } from '@holdfast/messaging/batching';
import type { EscrowId } from '@holdfast/kernel/ids';
import { commitStatement, type Database } from '@holdfast/postgres';
import type { Contract } from '../domain/contract.js';
import { storeAndStart, type IntentRow, type IntentWorker, type LeaseTerms, type RequestedIntent } from '@holdfast/intents';
import type { IntentRequests } from '../use-cases/ports.js';
import { insertIntentRequests, insertIntentRequestsValues, type IntentRequestRow } from './intent-request-sql.js';
import { toRow as toContractRow } from './contract-store.js';

/** The intent that a message requests: on a new contract, on the contract of an order, or on the contract of an escrow. */
type IntentRequest = { readonly intent: RequestedIntent } & (
  { readonly contract: Contract } | { readonly orderId: string } | { readonly escrowId: EscrowId }
);

export type IntentRequestStoreDeps = {
  readonly database: Pick<Database, 'pool'>;
  readonly worker: Pick<IntentWorker, 'reserve' | 'wake'>;
  readonly lease: LeaseTerms;
};

const batchLimits = { sizeMax: 32, batchDelayMs: 10, inFlightMax: 2, waitingMax: 10_000 };

/**
 * Stores inbox rows, contracts and intents of a batch of messages in one statement. Intents for which the worker has free slots are
 * stored with their leases and started at once. If the outcome of the commit is unknown the batch is repeated: the inbox rows
 * leave out what was stored.
 */
export function intentRequestStore(deps: IntentRequestStoreDeps): IntentRequests {
  const { submit } = createCommitBatcher<IntentRequest, boolean>({
    ...batchLimits,
    commit: async (requests) => {
      const stored = await storeNew(deps, requests);
      return requests.map(({ intent }) => ({ status: 'fulfilled', value: stored.has(intent.id) }));
    },
    keyOf: ({ intent }) => intent.id,
  });
  return {
    deploy: (intent, contract) => submit({ intent, contract }),
    fund: (intent, orderId) => submit({ intent, orderId }),
    settle: (intent, escrowId) => submit({ intent, escrowId }),
  };
}

/** Returns the ids of the intents that were not stored before. */
function storeNew(
  { database, worker, lease }: IntentRequestStoreDeps,
  requests: readonly IntentRequest[],
): Promise<ReadonlySet<string>> {
  const contracts = requests.flatMap((request) => ('contract' in request ? [toContractRow(request.contract)] : []));
  return storeAndStart(worker, requests.length, async (leasedMax) => {
    const rows = await commitStatement<IntentRow>(
      database.pool,
      insertIntentRequests,
      insertIntentRequestsValues(
        requests.map((request, index) => toRow(request, index < leasedMax)),
        contracts,
        lease,
      ),
    );
    return { rows, result: new Set(rows.map(({ id }) => id)) };
  });
}

function toRow(request: IntentRequest, isLeased: boolean): IntentRequestRow {
  const { saga, sagaRunId, afterEventId, traceparent } = request.intent;
  return {
    ...request.intent,
    saga: saga ?? null,
    sagaRunId: sagaRunId ?? null,
    afterEventId: afterEventId ?? null,
    traceparent: traceparent ?? null,
    escrowId: escrowIdOf(request),
    orderId: 'orderId' in request ? request.orderId : null,
    isLeased,
  };
}

function escrowIdOf(request: IntentRequest): EscrowId | null {
  if ('contract' in request) return request.contract.escrowId;
  return 'escrowId' in request ? request.escrowId : null;
}
