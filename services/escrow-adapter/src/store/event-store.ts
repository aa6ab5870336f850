import { createCommitBatcher } from '@holdfast/shared/batching';
import { toInstant, type Clock, type Instant } from '@holdfast/shared/context';
import type { EscrowId, MessageId } from '@holdfast/shared/ids';
import { commitStatement, type Database, type Tx } from '@holdfast/shared/postgres';
import type { KeptEvent, ProviderEvent, ProviderEvents } from '../use-cases/ports.js';
import * as sql from './event-sql.js';
import type { EventRow } from './schema.js';

/** As long as this the process that took an event is left alone with it. */
const takenMs = 60_000;

const batchLimits = { sizeMax: 256, delayMs: 25, inFlightMax: 1, waitingMax: 10_000 };

type EventDeps = { readonly database: Pick<Database, 'pool' | 'lists'>; readonly clock: Clock };

export function eventStore({ database, clock }: EventDeps): ProviderEvents {
  const { pool, lists } = database;
  const { submit } = createCommitBatcher<ProviderEvent, KeptEvent | undefined>({
    ...batchLimits,
    commit: async (events) => {
      const kept = await insertNew(pool, events, clock);
      return events.map(({ eventId }) => ({ status: 'fulfilled', value: kept.get(eventId) }));
    },
    keyOf: ({ eventId }) => eventId,
  });
  return {
    keep: submit,
    done: async ({ id }, result) => {
      await pool.query(sql.finishEvent, [id, result]);
    },
    later: async ({ id }, reason) => {
      await pool.query(sql.postponeEvent, [id, reason]);
    },
    takeDue: (countMax) => lists.inTransaction((tx) => takeDue(tx, countMax)),
    namedFor: async (orderId) => {
      const { rows } = await pool.query<{ readonly contractId: string }>(sql.findNamedContracts, [orderId]);
      return rows.map(({ contractId }) => contractId);
    },
  };
}

/**
 * Stored and judged in one statement, which is a commit of its own: whoever dies after it leaves nothing undone but what the outside world
 * must be asked about.
 */
async function insertNew(
  pool: Database['pool'],
  events: readonly ProviderEvent[],
  clock: Clock,
): Promise<ReadonlyMap<string, KeptEvent>> {
  const dueAt = toInstant(clock.epochMs() + takenMs);
  const values = sql.newEvents.valuesOf(events.map((event) => toNewRow(event, dueAt)));
  const rows = await commitStatement<JudgedRow>(pool, sql.insertEvents, values);
  const judgements = judgementsIn(rows);
  return new Map(
    events.flatMap((event) => {
      const judgement = judgements.get(event.eventId);
      return judgement === undefined ? [] : [[event.eventId, toKept(event, 0, judgement)]];
    }),
  );
}

/** An event about which nothing is left to do has a verdict. */
type Judgement =
  | { readonly verdict: string; readonly intentId: MessageId | undefined }
  | { readonly verdict: undefined; readonly escrowId: EscrowId };

/** Only what is about a contract of ours is left without a verdict. */
type JudgedRow = { readonly eventId: string; readonly intentId: MessageId | null } & (
  { readonly verdict: string } | { readonly verdict: null; readonly escrowId: EscrowId }
);

function judgementsIn(rows: readonly JudgedRow[]): ReadonlyMap<string, Judgement> {
  return new Map(rows.map((row) => [row.eventId, toJudgement(row)]));
}

function toJudgement(row: JudgedRow): Judgement {
  if (row.verdict === null) return { verdict: undefined, escrowId: row.escrowId };
  return { verdict: row.verdict, intentId: row.intentId ?? undefined };
}

/** Those for which our own tables have found a verdict meanwhile are done with this. */
async function takeDue(tx: Tx, countMax: number): Promise<readonly KeptEvent[]> {
  const rows = await tx.query<EventRow>(sql.takeDueEvents, [countMax, takenMs / 1_000]);
  if (rows.length === 0) return [];
  const judgements = judgementsIn(await tx.query<JudgedRow>(sql.judgeEvents, [rows.map(({ eventId }) => eventId)]));
  return rows.flatMap((row) => {
    const judgement = judgements.get(row.eventId);
    if (judgement === undefined) return [];
    if (judgement.verdict === undefined) return [toKept(toEvent(row), row.attempts, judgement)];
    tx.defer(sql.finishEvent, [row.id, judgement.verdict]);
    return [toKept(toEvent(row), row.attempts + 1, judgement)];
  });
}

function toKept(event: ProviderEvent, attempts: number, judgement: Judgement): KeptEvent {
  if (judgement.verdict === undefined) return { event, attempts, isDone: false, escrowId: judgement.escrowId };
  return { event, attempts, isDone: true, intentId: judgement.intentId };
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
