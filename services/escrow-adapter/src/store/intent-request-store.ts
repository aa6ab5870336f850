import { createCommitBatcher } from '@holdfast/messaging/batching';
import type { EscrowId } from '@holdfast/kernel/ids';
import { commitStatement, type Database } from '@holdfast/postgres';
import type { Contract } from '../domain/contract.js';
import { toIntent, type Intent, type IntentRow, type IntentWorker, type NewIntent } from '../intents/index.js';
import type { IntentRequests } from '../use-cases/ports.js';
import { insertAsks, insertAsksValues, type AskRow } from './ask-sql.js';
import { toRow as toContractRow } from './contract-store.js';

/** What a message asks for: an intent on a new contract, on the contract of an order, or on the contract of an escrow. */
type IntentRequest = { readonly intent: Omit<NewIntent, 'subject'> } & (
  { readonly contract: Contract } | { readonly orderId: string } | { readonly escrowId: EscrowId }
);

export type AskStoreDeps = {
  readonly database: Pick<Database, 'pool'>;
  readonly lane: Pick<IntentWorker, 'reserve' | 'wake'>;
  /** Of the lane's intents. */
  readonly lease: { readonly owner: string; readonly seconds: number };
};

const batchLimits = { sizeMax: 32, batchDelayMs: 10, inFlightMax: 2, waitingMax: 10_000 };

/**
 * Stores inbox, contract and intent in one statement, which messages that arrive together share, and begins what the lane has room for: such
 * an intent is stored with its lease. A message whose commit has an unknown outcome is stored again: the inbox knows whether it was.
 */
export function intentRequestStore(deps: AskStoreDeps): IntentRequests {
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

/** Returns the ids of those that were not stored before. */
async function storeNew(
  { database, lane, lease }: AskStoreDeps,
  requests: readonly IntentRequest[],
): Promise<ReadonlySet<string>> {
  const places = lane.reserve(requests.length);
  let leased: readonly Intent[] = [];
  try {
    const rows = requests.map((request, index) => toRow(request, index < places.count));
    const contracts = requests.flatMap((request) => ('contract' in request ? [toContractRow(request.contract)] : []));
    const stored = await commitStatement<IntentRow>(database.pool, insertAsks, insertAsksValues(rows, contracts, lease));
    leased = stored.filter(({ leaseToken }) => leaseToken > 0).map(toIntent);
    for (const { id, leaseToken } of stored) if (leaseToken === 0) lane.wake(id);
    return new Set(stored.map(({ id }) => id));
  } finally {
    places.begin(leased);
  }
}

function toRow(ask: IntentRequest, isLeased: boolean): AskRow {
  const { saga, sagaRunId, afterEventId } = ask.intent;
  return {
    ...ask.intent,
    saga: saga ?? null,
    sagaRunId: sagaRunId ?? null,
    afterEventId: afterEventId ?? null,
    escrowId: escrowIdOf(ask),
    orderId: 'orderId' in ask ? ask.orderId : null,
    isLeased,
  };
}

function escrowIdOf(ask: IntentRequest): EscrowId | null {
  if ('contract' in ask) return ask.contract.escrowId;
  return 'escrowId' in ask ? ask.escrowId : null;
}
