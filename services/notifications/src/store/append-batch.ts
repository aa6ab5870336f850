import type { Clock, Instant } from '@holdfast/shared/context';
import type { MarketplaceId } from '@holdfast/shared/ids';
import type { Inbox } from '@holdfast/shared/outbox';
import type { Tx } from '@holdfast/shared/postgres';
import { putInOrder } from '../domain/hold-back.js';
import { shownMoment } from '../domain/occurred-at.js';
import type { Arrival } from '../use-cases/ports.js';
import { recordAudit, type AuditEnd, type Sealer } from './record-audit.js';
import { shownEnvelope } from './shown-envelope.js';
import { appendEvents } from './sql/append-events.js';
import { findClocks, findHeads } from './sql/find-heads.js';
import { lockAppender } from './sql/lock-appender.js';

/** Another process has become the appender. */
export class Superseded extends Error {
  constructor() {
    super('another process has become the appender of the event log');
    this.name = 'Superseded';
  }
}

export type BatchDeps = { readonly inbox: Inbox; readonly clock: Clock; readonly sealer: Sealer; readonly token: bigint };

export type AppendedBatch = {
  /** In the log now, or since an earlier time. */
  readonly doneIds: ReadonlySet<string>;
  readonly events: number;
  readonly lastPosition: bigint;
};

type AppenderRow = AuditEnd & { readonly last_position: bigint };

/** Appends whatever is not held back, exactly once, in one transaction. The arrivals have different ids. */
export async function appendBatch(deps: BatchDeps, tx: Tx, arrivals: readonly Arrival[]): Promise<AppendedBatch> {
  const { inbox, clock, token } = deps;
  // One trip: the server answers what follows the lock only once it is held.
  const [[end], heard, versions, clocks] = await Promise.all([
    tx.query<AppenderRow>(lockAppender, [token]),
    inbox.heard(tx, idsOf(arrivals)),
    versionsOf(tx, arrivals),
    clocksOf(tx, arrivals),
  ]);
  if (end === undefined) throw new Superseded();
  const fresh = arrivals.filter(({ id }) => !heard.has(id));
  const { ready } = putInOrder(fresh, { versions, ids: heard }, clock.epochMs());
  const doneIds = new Set([...arrivals.filter(({ id }) => heard.has(id)), ...ready].map(({ id }) => id));
  if (ready.length === 0) return { doneIds, events: 0, lastPosition: end.last_position };
  const moments = momentsOf(clocks, ready, clock.now());
  const events = ready.filter(({ kind }) => kind === 'event');
  const keys = ready.filter(({ kind }) => kind === 'key').map(({ message }) => message.aggregateId);
  writeEvents(tx, { events, moments, keys, end, at: clock.now() });
  const facts = ready.filter(({ kind }) => kind === 'audit').map((fact) => ({ ...fact, occurredAt: moments.of(fact) }));
  if (facts.length > 0) recordAudit(tx, { facts, end, sealedAt: clock.now(), sealer: deps.sealer });
  await inbox.noteHeard(
    tx,
    ready.map(({ id }) => id),
  );
  return { doneIds, events: events.length, lastPosition: end.last_position + BigInt(events.length) };
}

function idsOf(arrivals: readonly Arrival[]): readonly string[] {
  return arrivals.flatMap(({ id, causeId }) => (causeId === undefined ? [id] : [id, causeId]));
}

async function versionsOf(tx: Tx, arrivals: readonly Arrival[]): Promise<ReadonlyMap<string, number>> {
  const aggregates = new Set(arrivals.flatMap(({ numbered }) => (numbered?.isGapless === true ? [numbered.aggregate] : [])));
  if (aggregates.size === 0) return new Map();
  const rows = await tx.query<{ readonly aggregate: string; readonly version: bigint }>(findHeads, [[...aggregates]]);
  return new Map(rows.map(({ aggregate, version }) => [aggregate, Number(version)]));
}

type Moments = {
  readonly of: (arrival: Arrival) => Instant;
  /** The last one of each marketplace. */
  readonly last: ReadonlyMap<MarketplaceId, Instant>;
};

type Clocks = ReadonlyMap<MarketplaceId, Instant>;

async function clocksOf(tx: Tx, arrivals: readonly Arrival[]): Promise<Clocks> {
  const marketplaces = [...new Set(arrivals.map(({ message }) => message.marketplaceId))];
  const rows = await tx.query<{ readonly marketplace_id: MarketplaceId; readonly last_occurred_at: Instant }>(findClocks, [
    marketplaces,
  ]);
  return new Map(rows.map((row) => [row.marketplace_id, row.last_occurred_at]));
}

/** Events and audit entries of a marketplace share one clock, so no two of them have the same moment. */
function momentsOf(clocks: Clocks, arrivals: readonly Arrival[], now: Instant): Moments {
  const shown = arrivals.filter(({ kind }) => kind !== 'key');
  const last = new Map(clocks);
  const moments = new Map<string, Instant>();
  for (const { id, message } of shown) {
    const { marketplaceId, occurredAt: produced } = message;
    const moment = shownMoment({ last: last.get(marketplaceId), produced, now });
    last.set(marketplaceId, moment);
    moments.set(id, moment);
  }
  return { of: ({ id }) => moments.get(id) ?? now, last };
}

type Writing = {
  readonly events: readonly Arrival[];
  readonly moments: Moments;
  readonly keys: readonly string[];
  readonly end: AppenderRow;
  readonly at: Instant;
};

function writeEvents(tx: Tx, { events, moments, keys, end, at }: Writing): void {
  const heads = new Map<string, number>();
  for (const { numbered } of events) {
    if (numbered?.isGapless !== true) continue;
    heads.set(numbered.aggregate, Math.max(numbered.version, heads.get(numbered.aggregate) ?? 0));
  }
  tx.defer(appendEvents, [
    end.last_position + BigInt(events.length),
    at,
    events.map((_, index) => end.last_position + BigInt(index + 1)),
    events.map(({ message }) => message.marketplaceId),
    events.map(moments.of),
    events.map(({ id }) => id),
    events.map(({ message }) => message.type),
    events.map(({ message }) => message.aggregateType),
    events.map((event) => shownEnvelope(event.message, moments.of(event))),
    [...heads.keys()],
    [...heads.values()],
    [...moments.last.keys()],
    [...moments.last.values()],
    keys,
  ]);
}
