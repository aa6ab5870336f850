import { settlesWithin } from '@holdfast/kernel/async';
import { toEpochMs, toInstant, type Clock, type Log } from '@holdfast/kernel/context';
import type { NewId } from '@holdfast/kernel/ids';
import type { Metrics } from '@holdfast/observability';
import { deleteInBatches, type Database, type Statement } from '@holdfast/postgres';
import { dueWorkEveryMs, readNextDue, type Job, type WakeJob } from '@holdfast/work';
import * as sql from './event-sql.js';
import type {
  ClaimedEvent,
  EventContext,
  EventResult,
  FinalOutcome,
  HandleEvent,
  KnownOutcome,
  ReceivedEvent,
  WebhookEvent,
} from './webhook-event.js';
import { eventLag, eventOutcomes } from './webhook-metrics.js';

/** `open`: it could not be handled yet, and is retried. */
export type Receipt = EventResult | 'open' | 'duplicate';

/** What became of an event, and what the statement of the service has found about it. */
export type LookedUp<Found extends KnownOutcome> = { readonly receipt: Receipt; readonly found: Found };

/** A statement made by `insertionWith`, and the parameters of the look-up in it. */
export type LookUp = { readonly statement: Statement; readonly values: readonly unknown[] };

/** The events of one provider. */
export type WebhookInbox = {
  /**
   * Commits the event, then handles it, unless its outcome is known. It is not handled again if it was stored before. Rejects only if
   * the event may not be stored.
   */
  readonly receive: (event: ReceivedEvent, ctx: EventContext, known?: FinalOutcome) => Promise<Receipt>;
  /** Like `receive`, but the statement that stores the event also reads its outcome: one row, which is returned, too. */
  readonly receiveAndLookUp: <Found extends KnownOutcome>(
    event: ReceivedEvent,
    ctx: EventContext,
    lookUp: LookUp,
  ) => Promise<LookedUp<Found>>;
  /** Counts a webhook that the service refuses, because the provider has not signed it. */
  readonly countRefused: () => void;
  /** Counts an event about what the service has done itself, and has recorded. Such an event is not stored. */
  readonly countOwn: () => void;
  readonly jobs: readonly Job[];
};

type Options = {
  readonly database: Pick<Database, 'pool' | 'lists'>;
  readonly clock: Clock;
  readonly newId: NewId;
  readonly metrics: Metrics;
  readonly log: Log;
  readonly wake: WakeJob;
  readonly handle: HandleEvent;
  /** After so many attempts an event that is unconfirmed is ignored. */
  readonly unconfirmedAttemptsMax: number;
};

type Inbox = Options & {
  readonly count: (outcome: EventResult | 'duplicate' | 'refused') => void;
  readonly observeLag: (event: WebhookEvent) => void;
};

const jobName = 'webhook-events';
const pruneEveryMs = 3_600_000;
/** How long an event stays claimed by the process that stored or claimed it. */
const claimMs = 60_000;
/** With the delays between them, about an hour. */
const attemptsMax = 16;
/** The providers give up after 15 s. The event is stored by then, so the response need not wait for its handling. */
const handlingMsMax = 5_000;
const batchEventsMax = 20;

export function createWebhookInbox(options: Options): WebhookInbox {
  const { database, clock, metrics } = options;
  const outcomes = metrics.counter(eventOutcomes);
  const lag = metrics.histogram(eventLag);
  const inbox: Inbox = {
    ...options,
    count: (outcome) => outcomes.inc({ outcome }),
    observeLag: ({ receivedAt }) => lag.observe((clock.epochMs() - toEpochMs(receivedAt)) / 1_000),
  };
  return {
    receive: async (given, ctx, known) => {
      const event = toEvent(inbox, given, ctx);
      return handleNew(inbox, event, ctx, { isNew: await store(inbox, event, known), result: known?.result ?? null });
    },
    receiveAndLookUp: (given, ctx, lookUp) => receiveAndLookUp(inbox, given, ctx, lookUp),
    countRefused: () => inbox.count('refused'),
    countOwn: () => inbox.count('applied'),
    jobs: [
      {
        name: jobName,
        everyMs: dueWorkEveryMs,
        run: (signal) => handleDue(inbox, signal),
        nextDueInMs: () => readNextDue(database.pool, sql.nextDueEvent),
      },
      {
        name: 'prune-webhook-events',
        everyMs: pruneEveryMs,
        run: async (signal) => {
          for (const rows of sql.oldEvents) await deleteInBatches(database, rows, signal);
        },
      },
    ],
  };
}

function toEvent({ newId }: Inbox, given: ReceivedEvent, { at }: EventContext): WebhookEvent {
  return { ...given, id: newId('whe'), receivedAt: at };
}

type Stored = Pick<KnownOutcome, 'result'> & { readonly isNew: boolean };

async function handleNew(inbox: Inbox, event: WebhookEvent, ctx: EventContext, { isNew, result }: Stored): Promise<Receipt> {
  if (!isNew) {
    inbox.count('duplicate');
    return 'duplicate';
  }
  if (result !== null) return ended(inbox, event, result);
  const handling = handleOnce(inbox, { ...event, attempts: 1 }, ctx);
  return (await settlesWithin(handling, handlingMsMax)) ? handling : 'open';
}

async function receiveAndLookUp<Found extends KnownOutcome>(
  inbox: Inbox,
  given: ReceivedEvent,
  ctx: EventContext,
  lookUp: LookUp,
): Promise<LookedUp<Found>> {
  const event = toEvent(inbox, given, ctx);
  const found = await storeAndLookUp<Found>(inbox, event, lookUp);
  return { found, receipt: await handleNew(inbox, event, ctx, found) };
}

/** Without an outcome the event is claimed by this process for its first attempt. */
async function store({ database, clock }: Inbox, event: WebhookEvent, known?: FinalOutcome): Promise<boolean> {
  const isDone = known !== undefined;
  const row: sql.EventRow = {
    ...event,
    body: Buffer.from(event.body),
    handledAt: isDone ? event.receivedAt : null,
    result: known?.result ?? null,
    note: known?.note ?? null,
    attempts: isDone ? 0 : 1,
    nextAttemptAt: isDone ? null : toInstant(clock.epochMs() + claimMs),
  };
  const { rows } = await database.pool.query(sql.insertEvents([row]));
  return rows.length > 0;
}

async function storeAndLookUp<Found extends KnownOutcome>(
  { database, clock }: Inbox,
  event: WebhookEvent,
  { statement, values }: LookUp,
): Promise<Found & { readonly isNew: boolean }> {
  const row = { ...event, body: Buffer.from(event.body), nextAttemptAt: toInstant(clock.epochMs() + claimMs) };
  const given = [...values, ...sql.valuesOfEvent(row)];
  const { rows } = await database.pool.query<Found & { readonly isNew: boolean }>(statement, given);
  if (rows[0] === undefined) throw new Error(`${statement.name} has returned no row, so the event was not stored.`);
  return rows[0];
}

/** Makes an attempt and stores what became of the event. Never rejects. */
async function handleOnce(inbox: Inbox, event: ClaimedEvent, ctx: EventContext): Promise<EventResult | 'open'> {
  const { id, attempts } = event;
  const about = { eventId: id, providerEventId: event.providerEventId, type: event.eventType, attempts };
  try {
    const { result, note } = await inbox.handle(event, ctx);
    if (result !== 'unconfirmed') return await finish(inbox, event, result, note);
    if (attempts < inbox.unconfirmedAttemptsMax) return await postpone(inbox, event, note);
    ctx.log.warn({ ...about, note }, 'webhook event ignored, because nothing confirms it');
    return await finish(inbox, event, 'ignored', note);
  } catch (error) {
    ctx.log.warn({ ...about, error }, 'webhook event could not be handled');
    return retryOrFail(inbox, event, ctx);
  }
}

/** If even this fails, the claim of the event expires, and the next attempt follows. */
async function retryOrFail(inbox: Inbox, event: ClaimedEvent, { log }: EventContext): Promise<EventResult | 'open'> {
  const { id, attempts } = event;
  try {
    if (attempts < attemptsMax) return await postpone(inbox, event, 'the attempt failed');
    log.error({ eventId: id, attempts }, 'webhook event failed for good');
    return await finish(inbox, event, 'failed', 'the last attempt failed');
  } catch (error) {
    log.warn({ eventId: id, error }, 'webhook event stays claimed');
    return 'open';
  }
}

async function finish(inbox: Inbox, event: WebhookEvent, result: EventResult, note = ''): Promise<EventResult> {
  await inbox.database.pool.query(sql.finishEvent, [event.id, result, note === '' ? null : note]);
  return ended(inbox, event, result);
}

function ended<Result extends EventResult>({ count, observeLag }: Inbox, event: WebhookEvent, result: Result): Result {
  count(result);
  if (result !== 'ignored') observeLag(event);
  return result;
}

/** The job wakes up for the next attempt, which is later with each one before. */
async function postpone({ database, wake }: Inbox, { id }: ClaimedEvent, note: string): Promise<'open'> {
  const { rows } = await database.pool.query<{ readonly inMs: number }>(sql.postponeEvent, [id, note]);
  for (const { inMs } of rows) wake(jobName, inMs);
  return 'open';
}

/** Retries the events that could not be handled, and handles the events of processes that died. */
async function handleDue(inbox: Inbox, signal: AbortSignal): Promise<void> {
  const { database, clock, log } = inbox;
  let claimed: readonly ClaimedEvent[];
  do {
    if (signal.aborted) return;
    claimed = (await database.lists.query<sql.EventRow>(sql.claimDueEvents, [batchEventsMax, claimMs / 1_000])).rows;
    await Promise.all(claimed.map((event) => handleOnce(inbox, event, { requestId: event.id, at: clock.now(), log })));
  } while (claimed.length === batchEventsMax);
}
