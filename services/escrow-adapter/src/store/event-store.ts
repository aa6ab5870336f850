import { createCommitBatcher } from '@holdfast/shared/batching';
import { toInstant, type Clock } from '@holdfast/shared/context';
import type { EscrowId, MessageId } from '@holdfast/shared/ids';
import type { Database, Tx } from '@holdfast/shared/postgres';
import type { KeptEvent, ProviderEvent, ProviderEvents } from '../use-cases/ports.js';
import * as sql from './event-sql.js';
import type { EventRow } from './schema.js';

/** As long as this the process that took an event is left alone with it. */
const takenMs = 60_000;

const batchLimits = { sizeMax: 256, delayMs: 25, inFlightMax: 1, waitingMax: 10_000 };

type EventDeps = { readonly database: Pick<Database, 'pool' | 'lists' | 'inTransaction'>; readonly clock: Clock };

export function eventStore({ database, clock }: EventDeps): ProviderEvents {
  const { pool, lists } = database;
  const { submit } = createCommitBatcher<ProviderEvent, KeptEvent | undefined>({
    ...batchLimits,
    commit: async (events) => {
      const kept = await database.inTransaction((tx) => insertNew(tx, events, clock));
      return events.map(({ id }) => ({ status: 'fulfilled', value: kept.get(id) }));
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

/** Stored and judged in one commit: whoever dies after it leaves nothing undone but what the outside world must be asked about. */
async function insertNew(tx: Tx, events: readonly ProviderEvent[], clock: Clock): Promise<ReadonlyMap<string, KeptEvent>> {
  const judgements = await judge(tx, events);
  const judged = events.map((event) => ({ event, judgement: judgements.get(event.eventId) ?? notOurs }));
  const rows = await tx.query<{ readonly id: string }>(
    sql.insertEvents(judged.map(({ event, judgement }) => toRow(event, judgement, clock))),
  );
  const stored = new Set(rows.map(({ id }) => id));
  return new Map(
    judged.flatMap(({ event, judgement }) => (stored.has(event.id) ? [[event.id, toKept(event, 0, judgement)]] : [])),
  );
}

/** An event about which nothing is left to do has a verdict. */
type Judgement =
  | { readonly verdict: string; readonly intentId: MessageId | undefined }
  | { readonly verdict: undefined; readonly escrowId: EscrowId };

type SubjectRow = {
  readonly eventId: string;
  readonly escrowId: EscrowId | null;
  readonly intentId: MessageId | null;
  readonly isOwnTransaction: boolean;
};

const notOurs: Judgement = { verdict: 'not ours', intentId: undefined };

async function judge(tx: Tx, events: readonly Judged[]): Promise<ReadonlyMap<string, Judgement>> {
  const given = events.map(({ eventId, contractId, orderId, transactionHash }) => ({
    eventId,
    contractId,
    orderId,
    transactionHash,
  }));
  const rows = await tx.query<SubjectRow>(sql.findSubjects, [JSON.stringify(given)]);
  return new Map(rows.map((row) => [row.eventId, toJudgement(row)]));
}

type Judged = Pick<EventRow, 'eventId' | 'contractId'> & {
  readonly orderId?: string | null;
  readonly transactionHash?: string | null;
};

function toJudgement({ escrowId, intentId, isOwnTransaction }: SubjectRow): Judgement {
  if (escrowId === null) return notOurs;
  if (intentId !== null) return { verdict: 'woke its intent', intentId };
  return isOwnTransaction ? { verdict: 'our own doing', intentId: undefined } : { verdict: undefined, escrowId };
}

/** Those for which our own tables have found a verdict meanwhile are done with this. */
async function takeDue(tx: Tx, countMax: number): Promise<readonly KeptEvent[]> {
  const rows = await tx.query<EventRow>(sql.takeDueEvents, [countMax, takenMs / 1_000]);
  if (rows.length === 0) return [];
  const judgements = await judge(tx, rows);
  return rows.map((row) => {
    const judgement = judgements.get(row.eventId) ?? notOurs;
    if (judgement.verdict === undefined) return toKept(toEvent(row), row.attempts, judgement);
    tx.defer(sql.finishEvent, [row.id, judgement.verdict]);
    return toKept(toEvent(row), row.attempts + 1, judgement);
  });
}

function toKept(event: ProviderEvent, attempts: number, judgement: Judgement): KeptEvent {
  if (judgement.verdict === undefined) return { event, attempts, isDone: false, escrowId: judgement.escrowId };
  return { event, attempts, isDone: true, intentId: judgement.intentId };
}

function toRow(event: ProviderEvent, { verdict }: Judgement, clock: Clock): EventRow {
  const { orderId = null, transactionHash = null, milestoneRef = null } = event;
  const dueAt = toInstant(clock.epochMs() + takenMs);
  const done = verdict === undefined ? undefined : { processedAt: clock.now(), attempts: 1, result: verdict };
  const open = { processedAt: null, attempts: 0, result: null };
  return { ...event, orderId, transactionHash, milestoneRef, dueAt, ...(done ?? open) };
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
