import { createCommitBatcher } from '@holdfast/messaging/batching';
import type { EscrowId } from '@holdfast/kernel/ids';
import { commitStatement, type Database } from '@holdfast/postgres';
import type { Contract } from '../domain/contract.js';
import { toIntent, type Intent, type IntentRow, type IntentWorker, type NewIntent } from '@holdfast/intents';
import type { IntentRequests } from '../use-cases/ports.js';
import { insertIntentRequests, insertIntentRequestsValues, type IntentRequestRow } from './intent-request-sql.js';
import { toRow as toContractRow } from './contract-store.js';

/** The intent that a message requests: on a new contract, on the contract of an order, or on the contract of an escrow. */
type IntentRequest = { readonly intent: Omit<NewIntent, 'subject'> } & (
  { readonly contract: Contract } | { readonly orderId: string } | { readonly escrowId: EscrowId }
);

export type IntentRequestStoreDeps = {
  readonly database: Pick<Database, 'pool'>;
  readonly worker: Pick<IntentWorker, 'reserve' | 'wake'>;
  /** The owner and duration of the worker's leases. */
  readonly lease: { readonly owner: string; readonly seconds: number };
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
async function storeNew(
  { database, worker, lease }: IntentRequestStoreDeps,
  requests: readonly IntentRequest[],
): Promise<ReadonlySet<string>> {
  const slots = worker.reserve(requests.length);
  let leased: readonly Intent[] = [];
  try {
    const rows = requests.map((request, index) => toRow(request, index < slots.count));
    const contracts = requests.flatMap((request) => ('contract' in request ? [toContractRow(request.contract)] : []));
    const stored = await commitStatement<IntentRow>(
      database.pool,
      insertIntentRequests,
      insertIntentRequestsValues(rows, contracts, lease),
    );
    leased = stored.filter(({ leaseToken }) => leaseToken > 0).map(toIntent);
    for (const { id, leaseToken } of stored) if (leaseToken === 0) worker.wake(id);
    return new Set(stored.map(({ id }) => id));
  } finally {
    slots.start(leased);
  }
}

function toRow(request: IntentRequest, isLeased: boolean): IntentRequestRow {
  const { saga, sagaRunId, afterEventId } = request.intent;
  return {
    ...request.intent,
    saga: saga ?? null,
    sagaRunId: sagaRunId ?? null,
    afterEventId: afterEventId ?? null,
    escrowId: escrowIdOf(request),
    orderId: 'orderId' in request ? request.orderId : null,
    isLeased,
  };
}

function escrowIdOf(request: IntentRequest): EscrowId | null {
  if ('contract' in request) return request.contract.escrowId;
  return 'escrowId' in request ? request.escrowId : null;
}
