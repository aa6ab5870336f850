import type { Caller } from '@holdfast/kernel/context';
import type { MarketplaceId } from '@holdfast/kernel/ids';
import type { EventFilter } from '../domain/event-filter.js';
import type { PingWheel } from './ping-wheel.js';
import type { DisconnectReason, Sink, StreamCounts, StreamLimits } from './ports.js';

/** One open stream. */
export type Subscriber = {
  readonly caller: Caller;
  readonly filter: EventFilter;
  readonly sink: Sink;
  isOpen: boolean;
};

/** Subscribers of one marketplace with the same filter. */
export type Group = { readonly filter: EventFilter; readonly members: Set<Subscriber> };

/** All open streams of this process. */
export type SubscriberRegistry = {
  readonly limits: StreamLimits;
  readonly counts: StreamCounts;
  readonly all: Set<Subscriber>;
  readonly byKey: Map<string, Set<Subscriber>>;
  /** Only subscribers that have finished their replay. */
  readonly groups: Map<MarketplaceId, Map<string, Group>>;
  readonly pinged: Pick<PingWheel<Subscriber>, 'add' | 'remove'>;
};

export function addSubscriber(registry: SubscriberRegistry, given: Omit<Subscriber, 'isOpen'>): Subscriber {
  const { all, byKey, pinged, counts } = registry;
  const subscriber: Subscriber = { ...given, isOpen: true };
  const { caller, sink } = subscriber;
  all.add(subscriber);
  byKey.set(caller.id, (byKey.get(caller.id) ?? new Set()).add(subscriber));
  pinged.add(subscriber);
  counts.connections(all.size);
  sink.onClose(() => removeSubscriber(registry, subscriber));
  return subscriber;
}

/** Starts live delivery of every event that passes the subscriber's filter. */
export function startDelivery({ groups }: SubscriberRegistry, subscriber: Subscriber): void {
  if (!subscriber.isOpen) return;
  const { caller, filter } = subscriber;
  const ofMarketplace = groups.get(caller.marketplaceId) ?? new Map<string, Group>();
  groups.set(caller.marketplaceId, ofMarketplace);
  const group = ofMarketplace.get(filter.key) ?? { filter, members: new Set() };
  ofMarketplace.set(filter.key, group);
  group.members.add(subscriber);
}

function removeSubscriber(registry: SubscriberRegistry, subscriber: Subscriber): void {
  if (!subscriber.isOpen) return;
  subscriber.isOpen = false;
  const { all, byKey, pinged, counts } = registry;
  const { caller } = subscriber;
  all.delete(subscriber);
  const ofKey = byKey.get(caller.id);
  ofKey?.delete(subscriber);
  if (ofKey?.size === 0) byKey.delete(caller.id);
  leaveGroup(registry, subscriber);
  pinged.remove(subscriber);
  counts.connections(all.size);
}

function leaveGroup({ groups }: SubscriberRegistry, subscriber: Subscriber): void {
  const { caller, filter } = subscriber;
  const ofMarketplace = groups.get(caller.marketplaceId);
  const group = ofMarketplace?.get(filter.key);
  if (ofMarketplace === undefined || group === undefined) return;
  group.members.delete(subscriber);
  if (group.members.size === 0) ofMarketplace.delete(filter.key);
  if (ofMarketplace.size === 0) groups.delete(caller.marketplaceId);
}

export function disconnect(registry: SubscriberRegistry, subscriber: Subscriber, reason: DisconnectReason): void {
  if (!subscriber.isOpen) return;
  removeSubscriber(registry, subscriber);
  registry.counts.disconnected(reason);
  if (reason === 'slow' || reason === 'failed') subscriber.sink.destroy();
  else subscriber.sink.end();
}

/**
 * A subscriber with too many unsent bytes is disconnected; its client reconnects with the id of the last event it received.
 * The bytes of this call do not count yet, because the client had no chance to read them.
 */
export function send(registry: SubscriberRegistry, subscriber: Subscriber, bytes: Uint8Array): void {
  if (!subscriber.isOpen) return;
  if (subscriber.sink.unsentBytes() > registry.limits.unsentBytesMax) disconnect(registry, subscriber, 'slow');
  else subscriber.sink.write(bytes);
}
