import type { EventSourceMessage } from 'eventsource-parser';
import type { CallOptions, Settings } from './call-options.js';
import { delayMsAfter, isBeforeEffect, isPassing, withRetries } from './call.js';
import type { HoldfastEvent } from './generated/resources.js';
import { isHoldfastError, type HoldfastError } from './holdfast-error.js';
import { pause } from './pause.js';
import { headersOf, queryOf } from './request.js';
import { openConnection, type Connection } from './stream-connection.js';

/** Events after `from`, up to and including `to`, are older than the platform's history: this stream has missed them. */
export type EventGap = { readonly eventType: 'gap'; readonly from: string; readonly to: string };

export type StreamOptions = Pick<CallOptions, 'signal' | 'marketplaceId' | 'retriesMax'> & {
  /** Begins after this time instead of now. */
  readonly since?: string | Date | undefined;
  /** Begins after this event: the `lastEventId` of an earlier stream. Wins over `since`. */
  readonly lastEventId?: string | undefined;
  readonly types?: readonly HoldfastEvent['eventType'][] | undefined;
  readonly resources?: readonly HoldfastEvent['aggregateType'][] | undefined;
  readonly onConnect?: (() => void) | undefined;
  /** The connection broke; the next attempt follows after `delayMs`. */
  readonly onDisconnect?: ((error: HoldfastError, delayMs: number) => void) | undefined;
};

/** Ends when the signal is aborted. Delivery is at least once: deduplicate by `eventId`. */
export type EventStream = AsyncIterable<HoldfastEvent | EventGap> & {
  /** The id of the last event that was yielded. Store it, and resume from there. */
  readonly lastEventId: string | undefined;
  /** How old the last event was when it arrived. Undefined before the first one. */
  readonly lagMs: number | undefined;
};

type State = { lastEventId: string | undefined; since: string | undefined; lagMs: number | undefined };

export function streamEvents(settings: Settings, options: StreamOptions): EventStream {
  const { lastEventId, since } = options;
  const state: State = { lastEventId, since: since === undefined ? undefined : new Date(since).toISOString(), lagMs: undefined };
  return {
    [Symbol.asyncIterator]: () => follow(settings, options, state),
    get lastEventId() {
      return state.lastEventId;
    },
    get lagMs() {
      return state.lagMs;
    },
  };
}

/** The first connection fails like any call. Later ones are opened again until the signal is aborted or the platform refuses. */
async function* follow(settings: Settings, options: StreamOptions, state: State): AsyncGenerator<HoldfastEvent | EventGap> {
  try {
    let connection = await withRetries(settings, { options }, isWorthwhile, () => connect(settings, options, state));
    for (;;) {
      const broken = yield* read(connection, state);
      connection = await reconnect(settings, options, { state, broken, retryMs: connection.retryMs() });
    }
  } catch (error) {
    if (options.signal?.aborted !== true) throw error;
  }
}

function isWorthwhile(error: HoldfastError): boolean {
  return isBeforeEffect(error) || isPassing(error);
}

async function connect(settings: Settings, options: StreamOptions, state: State): Promise<Connection> {
  const { types, resources, signal, onConnect } = options;
  const { lastEventId, since } = state;
  const requestId = crypto.randomUUID();
  const connection = await openConnection(settings, {
    url: `${settings.baseUrl}/api/v1/events${queryOf({ types, resources, since: lastEventId === undefined ? since : undefined })}`,
    headers: {
      ...headersOf(settings, options, requestId),
      accept: 'text/event-stream',
      ...(lastEventId === undefined ? {} : { 'last-event-id': lastEventId }),
    },
    requestId,
    signal,
  });
  state.since ??= beginningOf(connection);
  onConnect?.();
  return connection;
}

/** If the connection breaks before the first event, the next one begins here. A second earlier, because the time has whole seconds. */
function beginningOf({ openedAt }: Connection): string | undefined {
  return openedAt === undefined ? undefined : new Date(openedAt.getTime() - 1_000).toISOString();
}

type Broken = { readonly state: State; readonly broken: HoldfastError; readonly retryMs: number | undefined };

async function reconnect(settings: Settings, options: StreamOptions, { state, broken, retryMs }: Broken): Promise<Connection> {
  let reason = broken;
  for (let attempt = 0; ; attempt += 1) {
    const delayMs = attempt === 0 && retryMs !== undefined ? retryMs : delayMsAfter(reason, attempt);
    options.onDisconnect?.(reason, delayMs);
    await pause(delayMs, options.signal);
    try {
      return await connect(settings, options, state);
    } catch (failure) {
      if (!isHoldfastError(failure) || !isWorthwhile(failure)) throw failure;
      reason = failure;
    }
  }
}

/** Yields what arrives, and returns why the connection has ended. */
async function* read({ messages }: Connection, state: State): AsyncGenerator<HoldfastEvent | EventGap, HoldfastError> {
  try {
    for await (const message of messages) {
      const shown = shownOf(message);
      if (shown === undefined) continue;
      if (shown.eventType !== 'gap') noteEvent(state, shown);
      yield shown;
    }
  } catch (error) {
    if (isHoldfastError(error)) return error;
    throw error;
  }
  throw new Error('messages end with an error');
}

function noteEvent(state: State, { occurredAt }: HoldfastEvent): void {
  state.lastEventId = occurredAt;
  // eslint-disable-next-line holdfast/no-ambient-time -- the lag is what the user's own clock says
  state.lagMs = Math.max(0, Date.now() - Date.parse(occurredAt));
}

/** Undefined for a ping. */
function shownOf({ id, event, data }: EventSourceMessage): HoldfastEvent | EventGap | undefined {
  if (event === 'gap') return { ...(JSON.parse(data) as Omit<EventGap, 'eventType'>), eventType: 'gap' };
  return id === undefined || event === 'ping' ? undefined : (JSON.parse(data) as HoldfastEvent);
}
