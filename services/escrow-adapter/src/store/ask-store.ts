import { createCommitBatcher } from '@holdfast/shared/batching';
import type { EscrowId } from '@holdfast/shared/ids';
import { inboxOf } from '@holdfast/shared/outbox';
import type { Database, Tx } from '@holdfast/shared/postgres';
import type { Contract } from '../domain/contract.js';
import { insertIntents, type NewIntent } from '../lanes/index.js';
import type { Asks } from '../use-cases/ports.js';
import { insertAll } from './contract-store.js';
import * as sql from './sql.js';

/** What a message asks for: an intent on a new contract, on the contract of an order, or on the contract of an escrow. */
type Ask = { readonly intent: Omit<NewIntent, 'subject'> } & (
  { readonly contract: Contract } | { readonly orderId: string } | { readonly escrowId: EscrowId }
);

const batchLimits = { sizeMax: 32, delayMs: 10, inFlightMax: 2, waitingMax: 10_000 };

/**
 * Stores inbox, contract and intent in one commit, which messages that arrive together share. A message whose commit has an unknown
 * outcome is stored again: the inbox knows whether it was.
 */
export function askStore(database: Pick<Database, 'inTransaction'>): Asks {
  const { submit } = createCommitBatcher<Ask, boolean>({
    ...batchLimits,
    commit: async (asks) => {
      const fresh = await database.inTransaction((tx) => storeNew(tx, asks));
      return asks.map(({ intent }) => ({ status: 'fulfilled', value: fresh.has(intent.id) }));
    },
    keyOf: ({ intent }) => intent.id,
  });
  return {
    deploy: (intent, contract) => submit({ intent, contract }),
    fund: (intent, orderId) => submit({ intent, orderId }),
    settle: (intent, escrowId) => submit({ intent, escrowId }),
  };
}

const inbox = inboxOf('escrow-adapter');

/** Returns the ids of those that were not stored before. */
async function storeNew(tx: Tx, asks: readonly Ask[]): Promise<ReadonlySet<string>> {
  const [fresh, subjectOf] = await Promise.all([
    inbox.noteNew(
      tx,
      asks.map(({ intent }) => intent.id),
    ),
    findSubjects(tx, asks),
  ]);
  const stored = asks.filter(({ intent }) => fresh.has(intent.id));
  if (stored.length === 0) return fresh;
  const intents = stored.map((ask) => toRow(ask.intent, subjectOf(ask)));
  await Promise.all([
    insertAll(
      tx,
      stored.flatMap((ask) => ('contract' in ask ? [ask.contract] : [])),
    ),
    tx.query(insertIntents(intents)),
  ]);
  return fresh;
}

type SubjectOf = (ask: Ask) => EscrowId;
type OfOrder = { readonly orderId: string; readonly escrowId: EscrowId };

/** The contract that each of them acts on; it must be there. */
async function findSubjects(tx: Tx, asks: readonly Ask[]): Promise<SubjectOf> {
  const orderIds = asks.flatMap((ask) => ('orderId' in ask ? [ask.orderId] : []));
  const escrowIds = asks.flatMap((ask) => ('escrowId' in ask ? [ask.escrowId] : []));
  const [ofOrders, ofEscrows] = await Promise.all([
    orderIds.length === 0 ? [] : tx.query<OfOrder>(sql.findContractsOfOrders, [orderIds]),
    escrowIds.length === 0 ? [] : tx.query<Pick<OfOrder, 'escrowId'>>(sql.findEscrows, [escrowIds]),
  ]);
  const byOrder = new Map(ofOrders.map(({ orderId, escrowId }) => [orderId, escrowId]));
  const known = new Set(ofEscrows.map(({ escrowId }) => escrowId));
  return (ask) => {
    if ('contract' in ask) return ask.contract.escrowId;
    const escrowId = 'orderId' in ask ? byOrder.get(ask.orderId) : ask.escrowId;
    if (escrowId === undefined || ('escrowId' in ask && !known.has(escrowId))) {
      throw new Error(`There is no contract for what message ${ask.intent.id} asks.`);
    }
    return escrowId;
  };
}

function toRow(intent: Ask['intent'], subject: EscrowId) {
  const { saga, sagaRunId, afterEventId } = intent;
  return { ...intent, subject, saga: saga ?? null, sagaRunId: sagaRunId ?? null, afterEventId: afterEventId ?? null };
}
