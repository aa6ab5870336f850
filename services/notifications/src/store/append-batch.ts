import type { Instant } from '@holdfast/shared/context';
import { isAppError } from '@holdfast/shared/errors';
import type { MarketplaceId } from '@holdfast/shared/ids';
import type { Inbox } from '@holdfast/shared/outbox';
import { type Database, type Tx } from '@holdfast/shared/postgres';
import type { Arrival, LoggedEvent } from '../use-cases/ports.js';
import { decideBatch, type Deciding, type Decision, type Known, type LogEnd } from './decide-batch.js';
import { aggregatesOf, idsOf, marketplacesOf, type LogMemory } from './log-memory.js';
import { recordAudit } from './record-audit.js';
import { appendEvents } from './sql/append-events.js';
import { findClocks, findHeads } from './sql/find-heads.js';
import { lockAppender } from './sql/lock-appender.js';
import { moveAppender } from './sql/move-appender.js';

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
  readonly token: bigint;
  readonly memory: LogMemory;
};

export type AppendedBatch = {
  /** In the log now, or since an earlier time. */
  readonly doneIds: ReadonlySet<string>;
  /** Those that this batch has added, in their order. */
  readonly events: readonly LoggedEvent[];
  readonly lastPosition: bigint;
};

/**
 * Appends whatever is not held back, exactly once, in one transaction. The arrivals have different ids. Where memory has all that
 * they depend on, everything goes out in one trip; where it was mistaken nothing is written, and the log is asked.
 */
export async function appendBatch(deps: BatchDeps, arrivals: readonly Arrival[]): Promise<AppendedBatch> {
  const known = deps.memory.recall(arrivals, deps.clock.epochMs());
  if (known === undefined) return appendAsked(deps, arrivals);
  try {
    return await appendKnown(deps, arrivals, known);
  } catch (error) {
    deps.memory.forget();
    if (isAppError(error, 'SERVICE_UNAVAILABLE')) throw error;
    return appendAsked(deps, arrivals);
  }
}

async function appendKnown(deps: BatchDeps, arrivals: readonly Arrival[], known: Known): Promise<AppendedBatch> {
  const decision = decideBatch(arrivals, known, deps);
  const heads = new Map<string, number>();
  if (decision.ids.length > 0) {
    await deps.database.inTransaction((tx) => {
      write(tx, deps, { known, decision, heads });
      return Promise.resolve();
    });
  }
  deps.memory.follow(decision, heads);
  return outcomeOf(arrivals, known, decision);
}

async function appendAsked(deps: BatchDeps, arrivals: readonly Arrival[]): Promise<AppendedBatch> {
  const heads = new Map<string, number>();
  const { known, decision } = await deps.database.inTransaction(async (tx) => {
    const asked = await ask(tx, deps, arrivals);
    const decided = decideBatch(arrivals, asked, deps);
    if (decided.ids.length > 0) write(tx, deps, { known: asked, decision: decided, heads });
    return { known: asked, decision: decided };
  });
  deps.memory.learn(arrivals, known);
  deps.memory.follow(decision, heads);
  return outcomeOf(arrivals, known, decision);
}

function outcomeOf(arrivals: readonly Arrival[], known: Known, { ids, events, end }: Decision): AppendedBatch {
  const before = arrivals.filter(({ id }) => known.ids.has(id)).map(({ id }) => id);
  return { doneIds: new Set([...before, ...ids]), events, lastPosition: end.last_position };
}

/** One trip: the server answers what follows the lock only once it is held. */
async function ask(tx: Tx, { inbox, token, memory }: BatchDeps, arrivals: readonly Arrival[]): Promise<Known> {
  const [[end], ids, heads, clocks] = await Promise.all([
    tx.query<LogEnd>(lockAppender, [token]),
    inbox.heard(tx, idsOf(arrivals)),
    tx.query<HeadRow>(findHeads, [aggregatesOf(arrivals)]),
    tx.query<{ readonly id: MarketplaceId; readonly moment: Instant }>(findClocks, [marketplacesOf(arrivals)]),
  ]);
  if (end === undefined) throw new Superseded();
  return {
    end,
    ids,
    versions: new Map([
      ...memory.looseHeads(arrivals),
      ...heads.map(({ aggregate, version }) => [aggregate, Number(version)] as const),
    ]),
    clocks: new Map(clocks.map(({ id, moment }) => [id, moment])),
  };
}

type HeadRow = { readonly aggregate: string; readonly version: bigint };

type Writing = {
  readonly known: Known;
  readonly decision: Decision;
  /** Filled with the numbers that the log has now. */
  readonly heads: Map<string, number>;
};

/** Nothing here is waited for: it all goes out with the commit. */
function write(tx: Tx, { inbox, token }: BatchDeps, { known, decision, heads }: Writing): void {
  const { audit, end, clocks } = decision;
  tx.defer(moveAppender, [
    token,
    known.end.last_position,
    known.end.audit_position,
    end.last_position,
    end.audit_position,
    end.audit_hash,
    end.audit_batch,
    end.audit_seal,
  ]);
  const note = (rows: readonly HeadRow[]): void =>
    rows.forEach(({ aggregate, version }) => heads.set(aggregate, Number(version)));
  const ends = [[...clocks.keys()], [...clocks.values()], decision.keys];
  tx.defer(appendEvents, [...columnsOf(decision), ...ends], note);
  if (audit !== undefined) recordAudit(tx, audit);
  inbox.noteHeardWithCommit(tx, decision.ids);
}

/** In the order of the statement's parameters. */
function columnsOf({ at, events, heads }: Decision): readonly unknown[] {
  return [
    at,
    events.map(({ position }) => position.toString()),
    events.map(({ marketplaceId }) => marketplaceId),
    events.map(({ occurredAt }) => occurredAt),
    events.map(({ eventId }) => eventId),
    events.map(({ eventType }) => eventType),
    events.map(({ aggregateType }) => aggregateType),
    events.map(({ envelope }) => envelope),
    [...heads.keys()],
    [...heads.values()].map(String),
  ];
}
