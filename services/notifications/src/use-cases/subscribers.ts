import type { Caller } from '@holdfast/shared/context';
import { AppError } from '@holdfast/shared/errors';
import type { MarketplaceId } from '@holdfast/shared/ids';
import { passes, type EventFilter } from '../domain/event-filter.js';
import { pingMessage, retryMessage } from '../domain/wire.js';
import { createPingWheel } from './ping-wheel.js';
import type { CutReason, LoggedEvent, Sink, StreamDeps } from './ports.js';
import { createRecentEvents, wireEvent, type RecentEvents, type WireEvent } from './recent-events.js';

/** One open stream. */
export type Subscriber = {
  readonly caller: Caller;
  readonly filter: EventFilter;
  readonly sink: Sink;
  isOpen: boolean;
};

type Group = { readonly filter: EventFilter; readonly members: Set<Subscriber> };

/** Everybody who reads the stream at this process. */
export type Subscribers = {
  /** Up to here everything was given to those who listen. */
  readonly position: () => bigint;
  readonly recent: RecentEvents;
  /** Refuses where there are too many. */
  readonly demandRoom: (caller: Caller) => void;
  readonly enter: (caller: Caller, filter: EventFilter, sink: Sink) => Subscriber;
  /** From now on it is given every event that passes its filter. */
  readonly listen: (subscriber: Subscriber) => void;
  readonly send: (subscriber: Subscriber, bytes: Uint8Array) => void;
  readonly cutOff: (subscriber: Subscriber, reason: CutReason) => void;
  /** New events, in the order of the log. */
  readonly publish: (events: readonly LoggedEvent[]) => void;
  /** Ends the streams of an API key, so that whoever comes back is checked again. */
  readonly cutKey: (apiKeyId: string) => void;
  /** Asks everybody to come back soon and not all at once, and ends their streams bit by bit. */
  readonly handOver: () => Promise<void>;
};

export function createSubscribers(deps: Omit<StreamDeps, 'log'>, startPosition: bigint): Subscribers {
  const { limits, counts, clock, chance } = deps;
  const all = new Set<Subscriber>();
  const byKey = new Map<string, Set<Subscriber>>();
  const groups = new Map<MarketplaceId, Map<string, Group>>();
  const recent = createRecentEvents(startPosition);
  let position = startPosition;
  let isStopping = false;

  const wheel = createPingWheel<Subscriber>(limits.pingEveryMs, (riders) => {
    const bytes = Buffer.from(pingMessage(clock.now()));
    for (const subscriber of [...riders]) send(subscriber, bytes);
  });

  /**
   * A reader that has left too much of what it was given before is cut off; it comes back with the id of the last event it
   * got. What is given now does not count yet: nobody could have taken it.
   */
  function send(subscriber: Subscriber, bytes: Uint8Array): void {
    if (!subscriber.isOpen) return;
    if (subscriber.sink.unsentBytes() > limits.unsentBytesMax) cutOff(subscriber, 'slow');
    else subscriber.sink.write(bytes);
  }

  function leave(subscriber: Subscriber): void {
    if (!subscriber.isOpen) return;
    subscriber.isOpen = false;
    const { caller, filter } = subscriber;
    all.delete(subscriber);
    dropFrom(byKey, caller.id, subscriber);
    const ofMarketplace = groups.get(caller.marketplaceId);
    const group = ofMarketplace?.get(filter.key);
    group?.members.delete(subscriber);
    if (group?.members.size === 0) ofMarketplace?.delete(filter.key);
    if (ofMarketplace?.size === 0) groups.delete(caller.marketplaceId);
    wheel.remove(subscriber);
    counts.connections(all.size);
  }

  function cutOff(subscriber: Subscriber, reason: CutReason): void {
    if (!subscriber.isOpen) return;
    leave(subscriber);
    counts.cutOff(reason);
    if (reason === 'slow' || reason === 'failed') subscriber.sink.destroy();
    else subscriber.sink.end();
  }

  function enter(caller: Caller, filter: EventFilter, sink: Sink): Subscriber {
    const subscriber: Subscriber = { caller, filter, sink, isOpen: true };
    all.add(subscriber);
    byKey.set(caller.id, (byKey.get(caller.id) ?? new Set()).add(subscriber));
    wheel.add(subscriber);
    counts.connections(all.size);
    sink.onClose(() => leave(subscriber));
    return subscriber;
  }

  function listen(subscriber: Subscriber): void {
    if (!subscriber.isOpen) return;
    const { caller, filter } = subscriber;
    const ofMarketplace = groups.get(caller.marketplaceId) ?? new Map<string, Group>();
    groups.set(caller.marketplaceId, ofMarketplace);
    const group = ofMarketplace.get(filter.key) ?? { filter, members: new Set() };
    ofMarketplace.set(filter.key, group);
    group.members.add(subscriber);
  }

  function publish(events: readonly LoggedEvent[]): void {
    const wired = events.map(wireEvent);
    position = wired.at(-1)?.position ?? position;
    recent.add(wired);
    for (const [marketplaceId, own] of byMarketplace(wired)) {
      for (const group of [...(groups.get(marketplaceId)?.values() ?? [])]) publishTo(group, own);
    }
  }

  /** All who have the same filter get the same bytes. */
  function publishTo({ filter, members }: Group, events: readonly WireEvent[]): void {
    const passing = events.filter((event) => passes(filter, event));
    if (passing.length === 0) return;
    const bytes = passing.length === 1 ? passing[0]?.bytes() : Buffer.concat(passing.map((event) => event.bytes()));
    if (bytes === undefined) return;
    counts.delivered(passing.length * members.size);
    for (const subscriber of [...members]) send(subscriber, bytes);
  }

  async function handOver(): Promise<void> {
    isStopping = true;
    wheel.stop();
    const { handOverMs } = limits;
    const leaving = [...all].map(
      (subscriber) =>
        new Promise<void>((resolve) => {
          setTimeout(() => {
            send(subscriber, Buffer.from(retryMessage(retryMsMin + chance(retryMsSpread))));
            cutOff(subscriber, 'stopping');
            resolve();
          }, chance(handOverMs));
        }),
    );
    await Promise.all(leaving);
  }

  return {
    position: () => position,
    recent,
    demandRoom: ({ id }) => {
      if (isStopping || all.size >= limits.connectionsMax) throw new AppError('SERVICE_UNAVAILABLE');
      if ((byKey.get(id)?.size ?? 0) >= limits.connectionsPerKeyMax)
        throw new AppError('RATE_LIMITED', { limit: limits.connectionsPerKeyMax, counts: 'open event streams' });
    },
    enter,
    listen,
    send,
    cutOff,
    publish,
    cutKey: (apiKeyId) => {
      for (const subscriber of [...(byKey.get(apiKeyId) ?? [])]) cutOff(subscriber, 'credential');
    },
    handOver,
  };
}

const retryMsMin = 250;
const retryMsSpread = 2_000;

function byMarketplace(events: readonly WireEvent[]): ReadonlyMap<MarketplaceId, readonly WireEvent[]> {
  const found = new Map<MarketplaceId, WireEvent[]>();
  for (const event of events) {
    const own = found.get(event.marketplaceId);
    if (own === undefined) found.set(event.marketplaceId, [event]);
    else own.push(event);
  }
  return found;
}

function dropFrom<Key, Value>(sets: Map<Key, Set<Value>>, key: Key, value: Value): void {
  const set = sets.get(key);
  set?.delete(value);
  if (set?.size === 0) sets.delete(key);
}
