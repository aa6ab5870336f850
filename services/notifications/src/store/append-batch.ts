import { retry } from '@holdfast/kernel/async';
import type { Instant } from '@holdfast/kernel/context';
import type { MarketplaceId } from '@holdfast/kernel/ids';
import { codeOf, type BoundStatement, type ConnectionPool } from '@holdfast/postgres';
import type { Arrival, LoggedEvent } from '../use-cases/ports.js';
import { decideBatch, type DecideDeps, type LogChanges, type LogState, type MovedHead } from './decide-batch.js';
import { aggregatesOf, createOwnAppends, marketplacesOf, namedIds, type OwnAppends } from './own-appends.js';
import type { HeadRow } from './schema.js';
import { appendRows, type AppendedRow, type AppendedRows } from './sql/append-rows.js';
import { readLog, readMoments, type MomentRow, type ReadLogRow } from './sql/read-log.js';

/** Thrown when the fencing token is outdated: another process has become the appender. */
export class Superseded extends Error {
  constructor() {
    super('another process has become the appender of the event log');
    this.name = 'Superseded';
  }
}

/** The log does not end where the batch was decided, or has messages or aggregates already that the batch takes for new. */
class LogMoved extends Error {
  constructor(options?: ErrorOptions) {
    super('the event log is not as the batch was decided for', options);
    this.name = 'LogMoved';
  }
}

export type BatchDeps = DecideDeps & {
  readonly pool: Pick<ConnectionPool, 'query'>;
  /** The fencing token of this process. */
  readonly token: bigint;
};

export type AppendedBatch = {
  /** Messages that are in the log now, appended by this batch or by an earlier one. */
  readonly doneIds: ReadonlySet<string>;
  /** Events that this batch has appended, in the order of the log. */
  readonly events: readonly LoggedEvent[];
  readonly lastPosition: bigint;
  readonly hasKeyChanges: boolean;
};

const consumer = 'notifications';
const movedRetries = { attemptsMax: 5, firstDelayMs: 10, shouldRetry: (error: unknown) => error instanceof LogMoved } as const;

export type AppendBatch = (arrivals: readonly Arrival[]) => Promise<AppendedBatch>;

/**
 * Appends the messages that are not held back, each once: `decideBatch` decides, one statement writes. A statement before it reads
 * what this process has not appended itself. The ids of the arrivals must be unique. The call can be repeated after an unknown
 * outcome, because committed messages are in the inbox.
 */
export function createAppendBatch(deps: BatchDeps): AppendBatch {
  const own = createOwnAppends();
  return (arrivals) => retry(() => appendOnce(deps, own, arrivals), movedRetries);
}

async function appendOnce(deps: BatchDeps, own: OwnAppends, arrivals: readonly Arrival[]): Promise<AppendedBatch> {
  const known = own.stateFor(arrivals) ?? (await read(deps, arrivals));
  const changes = decideBatch(arrivals, known, deps);
  if (changes.ids.length > 0) await writeAndRemember(deps, own, { known, changes });
  const doneBefore = arrivals.map(({ id }) => id).filter((id) => known.ids.has(id));
  return {
    doneIds: new Set([...doneBefore, ...changes.ids]),
    events: changes.events,
    lastPosition: changes.end.lastPosition,
    hasKeyChanges: changes.keys.length > 0,
  };
}

type Decided = { readonly known: LogState; readonly changes: LogChanges };

async function writeAndRemember(deps: BatchDeps, own: OwnAppends, decided: Decided): Promise<void> {
  try {
    own.remember(decided.changes, await write(deps, decided));
  } catch (error) {
    own.forget();
    throw error;
  }
}

async function read({ pool, token }: BatchDeps, arrivals: readonly Arrival[]): Promise<LogState> {
  const values = [token, consumer, namedIds(arrivals), aggregatesOf(arrivals), marketplacesOf(arrivals)];
  const { rows } = await pool.query<ReadLogRow>(readLog, values);
  const [row] = rows;
  if (row === undefined) throw new Superseded();
  const { handledIds, versions, clocks, ...end } = row;
  return {
    end,
    ids: new Set(handledIds),
    versions: new Map(Object.entries(versions ?? {})),
    clocks: new Map(Object.entries(clocks ?? {}) as [MarketplaceId, Instant][]),
    reported: await readReported(pool, arrivals),
  };
}

/** An audit entry is published with the event that it reports, so that both are in one batch, with rare exceptions. */
async function readReported(pool: BatchDeps['pool'], arrivals: readonly Arrival[]): Promise<ReadonlyMap<string, Instant>> {
  const arrived = new Set(arrivals.map(({ id }) => id));
  const eventIds = arrivals
    .filter(({ kind, afterEventId }) => kind === 'audit' && afterEventId !== undefined && !arrived.has(afterEventId))
    .map(({ afterEventId }) => afterEventId);
  if (eventIds.length === 0) return new Map();
  const { rows } = await pool.query<MomentRow>(readMoments, [eventIds]);
  return new Map(rows.map(({ eventId, occurredAt }) => [eventId, occurredAt]));
}

/** Returns the highest versions of the aggregates of the batch. */
async function write({ pool, token }: BatchDeps, { known, changes }: Decided): Promise<ReadonlyMap<string, number>> {
  const [row] = await run(pool, appendRows(rowsOf(token, known, changes)));
  if (row === undefined) throw new LogMoved();
  return new Map(Object.entries(row.versions ?? {}));
}

const uniqueViolation = '23505';

async function run(pool: BatchDeps['pool'], statement: BoundStatement): Promise<readonly AppendedRow[]> {
  try {
    return (await pool.query<AppendedRow>(statement)).rows;
  } catch (error) {
    throw codeOf(error) === uniqueViolation ? new LogMoved({ cause: error }) : error;
  }
}

function rowsOf(token: bigint, known: LogState, changes: LogChanges): AppendedRows {
  const { at, ids, events, audit, keys, heads, clocks, end } = changes;
  const { lastPosition: seenPosition, auditPosition: seenAuditPosition } = known.end;
  return {
    end: { ...end, token, seenPosition, seenAuditPosition },
    events: events.map((event) => ({ ...event, appendedAt: at })),
    newHeads: heads.filter(({ isNew }) => isNew).map(toHeadRow),
    heads: heads.filter(({ isNew }) => !isNew).map(toHeadRow),
    clocks: [...clocks].map(([marketplaceId, lastOccurredAt]) => ({ marketplaceId, lastOccurredAt })),
    keyChanges: keys.map((apiKeyId) => ({ apiKeyId, changedAt: at })),
    auditEntries: audit?.entries ?? [],
    auditSeals: audit === undefined ? [] : [audit.seal],
    handled: ids.map((messageId) => ({ consumer, messageId })),
  };
}

function toHeadRow({ aggregate, version }: MovedHead): HeadRow {
  return { aggregate, version: BigInt(version) };
}
