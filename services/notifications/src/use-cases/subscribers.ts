import type { Caller } from '@holdfast/shared/context';
import { AppError } from '@holdfast/shared/errors';
import type { MarketplaceId } from '@holdfast/shared/ids';
import { passes } from '../domain/event-filter.js';
import { pingMessage, retryMessage } from '../domain/wire.js';
import * as members from './audience.js';
import type { Audience, Group, Subscriber } from './audience.js';
import { createPingWheel } from './ping-wheel.js';
import type { CutReason, LoggedEvent, StreamDeps } from './ports.js';
import { createRecentEvents, wireEvent, type RecentEvents, type WireEvent } from './recent-events.js';

/** The streams of this process, and what they are given. */
export type Subscribers = {
  /** Up to here everything was given to those who listen. */
  readonly position: () => bigint;
  readonly recent: RecentEvents;
  /** Refuses where there are too many. */
  readonly demandRoom: (caller: Caller) => void;
  readonly enter: (given: Omit<Subscriber, 'isOpen'>) => Subscriber;
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
  const recent = createRecentEvents(startPosition);
  let position = startPosition;
  let isStopping = false;
  const pinged = createPingWheel<Subscriber>(limits.pingEveryMs, (riders) => {
    const bytes = Buffer.from(pingMessage(clock.now()));
    for (const subscriber of [...riders]) members.send(audience, subscriber, bytes);
  });
  const audience: Audience = { limits, counts, all: new Set(), byKey: new Map(), groups: new Map(), pinged };
  return {
    position: () => position,
    recent,
    demandRoom: (caller) => {
      if (isStopping) throw new AppError('SERVICE_UNAVAILABLE');
      demandRoom(audience, caller);
    },
    enter: (given) => members.enter(audience, given),
    listen: (subscriber) => members.listen(audience, subscriber),
    send: (subscriber, bytes) => members.send(audience, subscriber, bytes),
    cutOff: (subscriber, reason) => members.cutOff(audience, subscriber, reason),
    publish: (events) => {
      const wired = events.map(wireEvent);
      position = wired.at(-1)?.position ?? position;
      recent.add(wired);
      publish(audience, wired);
    },
    cutKey: (apiKeyId) => {
      for (const subscriber of [...(audience.byKey.get(apiKeyId) ?? [])]) members.cutOff(audience, subscriber, 'credential');
    },
    handOver: async () => {
      isStopping = true;
      pinged.stop();
      await Promise.all([...audience.all].map((subscriber) => handOver(audience, subscriber, chance)));
    },
  };
}

function demandRoom({ all, byKey, limits }: Audience, { id }: Caller): void {
  if (all.size >= limits.connectionsMax) throw new AppError('SERVICE_UNAVAILABLE');
  const limit = limits.connectionsPerKeyMax;
  if ((byKey.get(id)?.size ?? 0) >= limit) throw new AppError('RATE_LIMITED', { limit, counted: 'open event streams' });
}

function publish(audience: Audience, events: readonly WireEvent[]): void {
  for (const [marketplaceId, own] of byMarketplace(events)) {
    for (const group of [...(audience.groups.get(marketplaceId)?.values() ?? [])]) publishTo(audience, group, own);
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

/** All who have the same filter get the same bytes. */
function publishTo(audience: Audience, { filter, members: listening }: Group, events: readonly WireEvent[]): void {
  const passing = events.filter((event) => passes(filter, event));
  const [first] = passing;
  if (first === undefined) return;
  const bytes = passing.length === 1 ? first.bytes() : Buffer.concat(passing.map((event) => event.bytes()));
  audience.counts.delivered(passing.length * listening.size);
  for (const subscriber of [...listening]) members.send(audience, subscriber, bytes);
}

const retryMsMin = 250;
const retryMsSpread = 2_000;

function handOver(audience: Audience, subscriber: Subscriber, chance: StreamDeps['chance']): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(() => {
      members.send(audience, subscriber, Buffer.from(retryMessage(retryMsMin + chance(retryMsSpread))));
      members.cutOff(audience, subscriber, 'stopping');
      resolve();
    }, chance(audience.limits.handOverMs));
  });
}
