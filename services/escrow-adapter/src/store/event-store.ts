import { createCommitBatcher } from '@holdfast/messaging/batching';
import { toInstant, type Clock, type Instant } from '@holdfast/kernel/context';
import type { EscrowId, MessageId } from '@holdfast/kernel/ids';
import { providerEventRetentionDays } from '@holdfast/intents/provider-controls';
import { commitStatement, deleteInBatches, type Database, type RowsToDelete, type Tx } from '@holdfast/postgres';
import type { StoredEvent, ProviderEvent, ProviderEvents } from '../use-cases/event-ports.js';
import * as sql from './event-sql.js';
import type { EventRow } from './schema.js';

/** How long an event stays claimed by the process that stored or claimed it. */
const claimMs = 60_000;

const batchLimits = { sizeMax: 256, batchDelayMs: 25, inFlightMax: 1, waitingMax: 10_000 };

type EventDeps = { readonly database: Pick<Database, 'pool' | 'lists'>; readonly clock: Clock };

export function eventStore({ database, clock }: EventDeps): ProviderEvents {
  const { pool, lists } = database;
  const { submit } = createCommitBatcher<ProviderEvent, StoredEvent | undefined>({
    ...batchLimits,
    commit: async (events) => {
      const stored = await insertNew(pool, events, clock);
      return events.map(({ eventId }) => ({ status: 'fulfilled', value: stored.get(eventId) }));
    },
    keyOf: ({ eventId }) => eventId,
  });
  return {
    store: submit,
    storeIgnored: async ({ eventId, body }, receivedAt) => {
      const { rowCount } = await pool.query(sql.insertIgnoredEvent, [eventId, body, receivedAt]);
      return rowCount === 1;
    },
    finish: async ({ id }, result) => {
      await pool.query(sql.finishEvent, [id, result]);
    },
    postpone: async ({ id }, reason) => {
      await pool.query(sql.postponeEvent, [id, reason]);
    },
    claimDue: (countMax) => lists.inTransaction((tx) => claimDue(tx, countMax)),
    prune: async (signal) => {
      for (const rows of oldEvents) await deleteInBatches(database, rows, signal);
    },
  };
}

/** Anybody can send an event without a signature, so it is kept for a day only. */
const unsignedRetentionDays = 1;

const oldEvents: readonly RowsToDelete[] = [
  ...[
    { isSigned: true, days: providerEventRetentionDays },
    { isSigned: false, days: unsignedRetentionDays },
  ].map(({ isSigned, days }) => ({
    table: 'provider_events',
    where: 'received_at < now() - make_interval(days => $2) and is_signed = $3 and processed_at is not null',
    values: [days, isSigned],
  })),
  {
    table: 'ignored_provider_events',
    where: 'received_at < now() - make_interval(days => $2)',
    values: [providerEventRetentionDays],
  },
];

/** Stores and classifies events in one statement, which is one commit; after it only checks on the network are left. */
async function insertNew(
  pool: Database['pool'],
  events: readonly ProviderEvent[],
  clock: Clock,
): Promise<ReadonlyMap<string, StoredEvent>> {
  const dueAt = toInstant(clock.epochMs() + claimMs);
  const values = sql.newEvents.valuesOf(events.map((event) => toNewRow(event, dueAt)));
  const rows = await commitStatement<ClassifiedRow>(pool, sql.insertEvents, values);
  const classifications = classificationsIn(rows);
  return new Map(
    events.flatMap((event) => {
      const classification = classifications.get(event.eventId);
      return classification === undefined ? [] : [[event.eventId, toStored(event, 0, classification)]];
    }),
  );
}

/** An event with a result is done. */
type Classification =
  | { readonly result: string; readonly intentId: MessageId | undefined }
  | { readonly result: undefined; readonly escrowId: EscrowId };

/** An event without a result is about a contract of ours. */
type ClassifiedRow = { readonly eventId: string; readonly intentId: MessageId | null } & (
  { readonly result: string } | { readonly result: null; readonly escrowId: EscrowId }
);

function classificationsIn(rows: readonly ClassifiedRow[]): ReadonlyMap<string, Classification> {
  return new Map(rows.map((row) => [row.eventId, toClassification(row)]));
}

function toClassification(row: ClassifiedRow): Classification {
  if (row.result === null) return { result: undefined, escrowId: row.escrowId };
  return { result: row.result, intentId: row.intentId ?? undefined };
}

/** Events that our own tables can classify as done by now are finished in the same transaction. */
async function claimDue(tx: Tx, countMax: number): Promise<readonly StoredEvent[]> {
  const rows = await tx.query<EventRow>(sql.claimDueEvents, [countMax, claimMs / 1_000]);
  if (rows.length === 0) return [];
  const classifications = classificationsIn(
    await tx.query<ClassifiedRow>(sql.classifyEvents, [rows.map(({ eventId }) => eventId)]),
  );
  return rows.flatMap((row) => {
    const classification = classifications.get(row.eventId);
    if (classification === undefined) return [];
    if (classification.result === undefined) return [toStored(toEvent(row), row.attempts, classification)];
    tx.defer(sql.finishEvent, [row.id, classification.result]);
    return [toStored(toEvent(row), row.attempts + 1, classification)];
  });
}

function toStored(event: ProviderEvent, attempts: number, classification: Classification): StoredEvent {
  if (classification.result === undefined) return { event, attempts, isDone: false, escrowId: classification.escrowId };
  return { event, attempts, isDone: true, intentId: classification.intentId };
}

function toNewRow(event: ProviderEvent, dueAt: Instant) {
  const { orderId = null, transactionHash = null, milestoneRef = null } = event;
  return { ...event, orderId, transactionHash, milestoneRef, dueAt };
}

function toEvent(row: EventRow): ProviderEvent {
  const { eventId, id, type, contractId, orderId, transactionHash, milestoneRef, isSigned, receivedAt } = row;
  return {
    ...{ eventId, id, type, contractId, isSigned, receivedAt },
    ...(orderId === null ? {} : { orderId }),
    ...(transactionHash === null ? {} : { transactionHash }),
    ...(milestoneRef === null ? {} : { milestoneRef }),
  };
}
