import { openStreamsDetails } from '@holdfast/contracts/http';
import type { Caller } from '@holdfast/kernel/context';
import { AppError } from '@holdfast/kernel/errors';
import type { MarketplaceId } from '@holdfast/kernel/ids';
import { passes } from '../domain/event-filter.js';
import { pingMessage, retryMessage } from '../domain/sse-messages.js';
import * as members from './subscriber-registry.js';
import type { SubscriberRegistry, Group, Subscriber } from './subscriber-registry.js';
import { createPingWheel } from './ping-wheel.js';
import type { DisconnectReason, LoggedEvent, StreamDeps } from './ports.js';
import { createRecentEvents, wireEvent, type RecentEvents, type WireEvent } from './recent-events.js';

/** The open streams of this process, and the delivery of events to them. */
export type Subscribers = {
  /** Position of the last event delivered to live subscribers. */
  readonly position: () => bigint;
  readonly recent: RecentEvents;
  /** Throws where the process or the API key has its maximum of open streams. */
  readonly requireCapacity: (caller: Caller) => void;
  readonly add: (given: Omit<Subscriber, 'isOpen'>) => Subscriber;
  readonly startDelivery: (subscriber: Subscriber) => void;
  readonly send: (subscriber: Subscriber, bytes: Uint8Array) => void;
  readonly disconnect: (subscriber: Subscriber, reason: DisconnectReason) => void;
  /** Delivers new events, which are in the order of the log. */
  readonly publish: (events: readonly LoggedEvent[]) => void;
  /** Ends the streams of an API key, so that a client that reconnects is authenticated again. */
  readonly disconnectKey: (apiKeyId: string) => void;
  /** Sends each client a random reconnect delay, and ends the streams spread over `drainMs`. */
  readonly drain: () => Promise<void>;
};

export function createSubscribers(deps: Omit<StreamDeps, 'log'>, startPosition: bigint): Subscribers {
  const { limits, counts, clock, randomBelow } = deps;
  const recent = createRecentEvents(startPosition);
  let position = startPosition;
  let isStopping = false;
  const pinged = createPingWheel<Subscriber>(limits.pingEveryMs, (dueSubscribers) => {
    const bytes = Buffer.from(pingMessage(clock.now()));
    for (const subscriber of [...dueSubscribers]) members.send(registry, subscriber, bytes);
  });
  const registry: SubscriberRegistry = { limits, counts, all: new Set(), byKey: new Map(), groups: new Map(), pinged };
  return {
    position: () => position,
    recent,
    requireCapacity: (caller) => {
      if (isStopping) throw new AppError('SERVICE_UNAVAILABLE');
      requireCapacity(registry, caller);
    },
    add: (given) => members.addSubscriber(registry, given),
    startDelivery: (subscriber) => members.startDelivery(registry, subscriber),
    send: (subscriber, bytes) => members.send(registry, subscriber, bytes),
    disconnect: (subscriber, reason) => members.disconnect(registry, subscriber, reason),
    publish: (events) => {
      const wireEvents = events.map(wireEvent);
      position = wireEvents.at(-1)?.position ?? position;
      recent.add(wireEvents);
      publish(registry, wireEvents);
    },
    disconnectKey: (apiKeyId) => {
      for (const subscriber of [...(registry.byKey.get(apiKeyId) ?? [])]) members.disconnect(registry, subscriber, 'credential');
    },
    drain: async () => {
      isStopping = true;
      pinged.stop();
      await Promise.all([...registry.all].map((subscriber) => drainSubscriber(registry, subscriber, randomBelow)));
    },
  };
}

function requireCapacity({ all, byKey, limits }: SubscriberRegistry, { id }: Caller): void {
  if (all.size >= limits.connectionsMax) throw new AppError('SERVICE_UNAVAILABLE');
  const limit = limits.connectionsPerKeyMax;
  if ((byKey.get(id)?.size ?? 0) >= limit) throw new AppError('RATE_LIMITED', openStreamsDetails(limit));
}

function publish(registry: SubscriberRegistry, events: readonly WireEvent[]): void {
  for (const [marketplaceId, own] of byMarketplace(events)) {
    for (const group of [...(registry.groups.get(marketplaceId)?.values() ?? [])]) publishTo(registry, group, own);
  }
}

function byMarketplace(events: readonly WireEvent[]): ReadonlyMap<MarketplaceId, readonly WireEvent[]> {
  const found = new Map<MarketplaceId, WireEvent[]>();
  for (const event of events) {
    const own = found.get(event.marketplaceId);
    if (own === undefined) found.set(event.marketplaceId, [event]);
    else own.push(event);
  }
  return found;
}

/** Subscribers with the same filter share one buffer. */
function publishTo(registry: SubscriberRegistry, { filter, members: subscribers }: Group, events: readonly WireEvent[]): void {
  const passing = events.filter((event) => passes(filter, event));
  const [first] = passing;
  if (first === undefined) return;
  const bytes = passing.length === 1 ? first.bytes() : Buffer.concat(passing.map((event) => event.bytes()));
  registry.counts.delivered(passing.length * subscribers.size);
  for (const subscriber of [...subscribers]) members.send(registry, subscriber, bytes);
}

const retryMsMin = 250;
const retryMsSpread = 2_000;

function drainSubscriber(
  registry: SubscriberRegistry,
  subscriber: Subscriber,
  randomBelow: StreamDeps['randomBelow'],
): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(() => {
      members.send(registry, subscriber, Buffer.from(retryMessage(retryMsMin + randomBelow(retryMsSpread))));
      members.disconnect(registry, subscriber, 'stopping');
      resolve();
    }, randomBelow(registry.limits.drainMs));
  });
}
