import type { Inbox } from '@holdfast/shared/outbox';
import type { Database, Tx } from '@holdfast/shared/postgres';
import type { Arrival, LoggedEvent } from '../use-cases/ports.js';
import { decideBatch, type Deciding, type Decision, type Known } from './decide-batch.js';
import {
  insertAuditEntries,
  insertAuditSeals,
  insertEvents,
  insertKeyChanges,
  updateAppender,
  upsertClocks,
  upsertHeads,
  type AppenderRow,
  type ClockRow,
  type HeadRow,
} from './schema.js';
import { findClocks } from './sql/find-clocks.js';
import { findHeads } from './sql/find-heads.js';
import { lockAppender } from './sql/lock-appender.js';

/** Another process has become the appender. */
export class Superseded extends Error {
  constructor() {
    super('another process has become the appender of the event log');
    this.name = 'Superseded';
  }
}

export type BatchDeps = Deciding & {
  readonly database: Pick<Database, 'inTransaction'>;
  readonly inbox: Inbox;
  /** The fencing token of this process. */
  readonly token: bigint;
};

export type AppendedBatch = {
  /** In the log now, or since an earlier batch. */
  readonly doneIds: ReadonlySet<string>;
  /** Those that this batch has added, in their order. */
  readonly events: readonly LoggedEvent[];
  readonly lastPosition: bigint;
};

/**
 * Appends whatever is not held back, exactly once, in one transaction: lock, read, decide, write. The arrivals have different
 * ids. It may be repeated after an unknown outcome: what was committed is found in the inbox.
 */
export function appendBatch(deps: BatchDeps, arrivals: readonly Arrival[]): Promise<AppendedBatch> {
  return deps.database.inTransaction(async (tx) => {
    const known = await readLog(tx, deps, arrivals);
    const decision = decideBatch(arrivals, known, deps);
    if (decision.ids.length > 0) write(tx, deps, decision);
    const doneBefore = arrivals.map(({ id }) => id).filter((id) => known.ids.has(id));
    return {
      doneIds: new Set([...doneBefore, ...decision.ids]),
      events: decision.events,
      lastPosition: decision.end.lastPosition,
    };
  });
}

/** The statements are pipelined: the server carries out what follows the lock only once it is held. */
async function readLog(tx: Tx, { inbox, token }: BatchDeps, arrivals: readonly Arrival[]): Promise<Known> {
  const [[end], ids, heads, clocks] = await Promise.all([
    tx.query<AppenderRow>(lockAppender, [token]),
    inbox.heard(tx, namedIds(arrivals)),
    tx.query<HeadRow>(findHeads, [aggregatesOf(arrivals)]),
    tx.query<ClockRow>(findClocks, [marketplacesOf(arrivals)]),
  ]);
  if (end === undefined) throw new Superseded();
  return {
    end,
    ids,
    versions: new Map(heads.map(({ aggregate, version }) => [aggregate, Number(version)])),
    clocks: new Map(clocks.map(({ marketplaceId, lastOccurredAt }) => [marketplaceId, lastOccurredAt])),
  };
}

/** The messages themselves, and the events that they come after. */
function namedIds(arrivals: readonly Arrival[]): readonly string[] {
  return arrivals.flatMap(({ id, afterEventId }) => (afterEventId === undefined ? [id] : [id, afterEventId]));
}

function aggregatesOf(arrivals: readonly Arrival[]): readonly string[] {
  return [...new Set(arrivals.flatMap(({ numbered }) => (numbered === undefined ? [] : [numbered.aggregate])))];
}

function marketplacesOf(arrivals: readonly Arrival[]): readonly string[] {
  return [...new Set(arrivals.map(({ message }) => message.marketplaceId))];
}

/** The statements are issued together; the transaction waits for all of them before it commits. */
function write(tx: Tx, { inbox, token }: BatchDeps, decision: Decision): void {
  const { at, ids, events, audit, keys, heads, clocks, end } = decision;
  tx.defer(updateAppender([{ ...end, token }]));
  if (events.length > 0) {
    tx.defer(insertEvents(events.map((event) => ({ ...event, appendedAt: at }))));
    tx.defer(upsertHeads([...heads].map(([aggregate, version]) => ({ aggregate, version: BigInt(version) }))));
  }
  if (clocks.size > 0)
    tx.defer(upsertClocks([...clocks].map(([marketplaceId, lastOccurredAt]) => ({ marketplaceId, lastOccurredAt }))));
  if (keys.length > 0) tx.defer(insertKeyChanges(keys.map((apiKeyId) => ({ apiKeyId, changedAt: at }))));
  if (audit !== undefined) {
    tx.defer(insertAuditEntries(audit.entries));
    tx.defer(insertAuditSeals([audit.seal]));
  }
  inbox.noteHeardWithCommit(tx, ids);
}
