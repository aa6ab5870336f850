import { toEpochMs, toInstant, type Context, type Instant } from '@holdfast/kernel/context';
import { eventFilter, passes } from '../domain/event-filter.js';
import { earliestInstant } from '../domain/occurred-at.js';
import { gapMessage } from '../domain/sse-messages.js';
import type { Subscriber } from './subscriber-registry.js';
import { pageEventsMax, type PageReader } from './page-reader.js';
import type { Sink, StreamDeps } from './ports.js';
import type { WireEvent } from './recent-events.js';
import type { Subscribers } from './subscribers.js';

export type OpenStreamDeps = StreamDeps & { readonly subscribers: Subscribers; readonly readPage: PageReader };

export type OpenStream = {
  readonly types?: readonly string[] | undefined;
  readonly resources?: readonly string[] | undefined;
  /** The cursor of the client: events after this timestamp are replayed first. */
  readonly after: Instant | undefined;
};

/** Called once the response headers are sent. */
export type StartStream = (sink: Sink) => void;

/**
 * A stream without a cursor starts at the position of the process at the time of the call, so that no event between the call and
 * the headers is missed.
 */
export function openStream(deps: OpenStreamDeps, input: OpenStream, ctx: Context): StartStream {
  const { subscribers } = deps;
  const { caller } = ctx;
  subscribers.requireCapacity(caller);
  const filter = eventFilter(input);
  const livePosition = subscribers.position();
  return (sink) => {
    const subscriber = subscribers.add({ caller, filter, sink });
    disconnectOnExpiry(deps, subscriber);
    const following = input.after === undefined ? follow(deps, subscriber, livePosition) : resume(deps, subscriber, input.after);
    following.catch((error: unknown) => {
      ctx.log.warn({ error }, 'event stream failed; the client reconnects');
      subscribers.disconnect(subscriber, 'failed');
    });
  };
}

/** Node's timers overflow after about 24 days, so longer lifetimes take several timers. */
const timerMsMax = 86_400_000;

function disconnectOnExpiry(deps: OpenStreamDeps, subscriber: Subscriber): void {
  const { subscribers, clock } = deps;
  const { expiresAt } = subscriber.caller;
  if (expiresAt === undefined) return;
  const leftMs = toEpochMs(expiresAt) - clock.epochMs();
  if (leftMs <= 0) {
    subscribers.disconnect(subscriber, 'expired');
    return;
  }
  const timer = setTimeout(() => disconnectOnExpiry(deps, subscriber), Math.min(leftMs, timerMsMax));
  timer.unref();
  subscriber.sink.onClose(() => clearTimeout(timer));
}

/**
 * Sends the cached events after the position and starts live delivery in the same turn of the event loop, so that no event falls
 * between.
 */
function joinAfter({ subscribers }: OpenStreamDeps, subscriber: Subscriber, position: bigint): boolean {
  const missed = subscribers.recent.afterPosition(subscriber.caller.marketplaceId, position);
  if (missed === undefined) return false;
  join(subscribers, subscriber, missed);
  return true;
}

function join(subscribers: Subscribers, subscriber: Subscriber, missed: readonly WireEvent[]): void {
  const passing = missed.filter((event) => passes(subscriber.filter, event));
  if (passing.length > 0) subscribers.send(subscriber, Buffer.concat(passing.map((event) => event.bytes())));
  subscribers.startDelivery(subscriber);
}

async function follow(deps: OpenStreamDeps, subscriber: Subscriber, position: bigint): Promise<void> {
  if (!joinAfter(deps, subscriber, position))
    await catchUp(deps, subscriber, { after: earliestInstant, afterPosition: position });
}

/**
 * Timestamps and positions of a marketplace have the same order, so every event after the timestamp of a delivered event has a
 * higher position too, late events included. A timestamp that belongs to no event (of another marketplace, or with milliseconds
 * only) works in the same way; one from the future leaves nothing to replay.
 */
async function resume(deps: OpenStreamDeps, subscriber: Subscriber, after: Instant): Promise<void> {
  const { subscribers } = deps;
  const recent = subscribers.recent.afterMoment(subscriber.caller.marketplaceId, after);
  if (recent !== undefined) {
    join(subscribers, subscriber, recent);
    return;
  }
  await sendGap(deps, subscriber, after);
  await catchUp(deps, subscriber, { after, afterPosition: 0n });
}

const dayMs = 86_400_000;

/** Events within the retention period are never dropped, so only an older cursor can have a gap. */
async function sendGap(
  { log, clock, historyDays, subscribers }: OpenStreamDeps,
  subscriber: Subscriber,
  after: Instant,
): Promise<void> {
  if (after >= toInstant(clock.epochMs() - historyDays * dayMs)) return;
  const droppedUntil = await log.historyDroppedUntil(subscriber.caller.marketplaceId);
  if (droppedUntil !== undefined && droppedUntil > after)
    subscribers.send(subscriber, Buffer.from(gapMessage(after, droppedUntil)));
}

type ReplayPosition = { readonly after: Instant; readonly afterPosition: bigint };

/**
 * Replays pages up to the position of the process, and repeats for events appended meanwhile, until the cache of recent events
 * has the remaining ones.
 */
async function catchUp(deps: OpenStreamDeps, subscriber: Subscriber, from: ReplayPosition): Promise<void> {
  const { subscribers } = deps;
  let position = from;
  while (subscriber.isOpen) {
    const untilPosition = subscribers.position();
    position = { after: await sendHistory(deps, subscriber, position, untilPosition), afterPosition: untilPosition };
    if (joinAfter(deps, subscriber, untilPosition)) return;
  }
}

async function sendHistory(
  deps: OpenStreamDeps,
  subscriber: Subscriber,
  position: ReplayPosition,
  untilPosition: bigint,
): Promise<Instant> {
  const { filter, caller } = subscriber;
  let { after } = position;
  while (subscriber.isOpen) {
    const { marketplaceId } = caller;
    const page = await deps.readPage({ marketplaceId, after, afterPosition: position.afterPosition, untilPosition, filter });
    if (page.count > 0) await sendPage(deps, subscriber, page.bytes);
    after = page.lastMoment ?? after;
    if (page.count < pageEventsMax) break;
  }
  return after;
}

const stallMsMax = 30_000;

/** Waits until the page is sent before the next one is read, so that a slow client buffers at most one page. */
async function sendPage({ subscribers }: OpenStreamDeps, subscriber: Subscriber, bytes: Uint8Array): Promise<void> {
  if (!subscriber.isOpen) return;
  subscriber.sink.write(bytes);
  const timer = setTimeout(() => subscribers.disconnect(subscriber, 'slow'), stallMsMax);
  await subscriber.sink.whenSent();
  clearTimeout(timer);
}
