import type { WebhookDeliveryId } from '@holdfast/kernel/ids';
import type { DueDelivery, UnstoredDelivery } from './worker-ports.js';

/**
 * First deliveries in the memory of the process that has leased their endpoint. A delivery gets its row with the outcome of its first
 * attempt, or before it, if that takes long. Until then its event is in a batch of the endpoint, so that nothing is lost with the process.
 */
export type UnstoredDeliveries = {
  /** Those without a row, in the order of the log. */
  readonly entries: Map<WebhookDeliveryId, Unstored>;
  /** The aggregates that have a delivery in memory, or one that has failed. */
  readonly aggregates: Map<string, Aggregate>;
  /** How many wait behind another one of their aggregate. */
  behindCount: number;
  /** The position up to which the log was read. */
  readUntil: bigint;
};

type Unstored = {
  readonly delivery: DueDelivery;
  readonly readAtMs: number;
  /** `behind` waits for another one of its aggregate in memory; `waits` gets a row and waits there. */
  place: 'sendable' | 'behind' | 'waits';
};

type Aggregate = {
  readonly behind: DueDelivery[];
  /** The next ones wait in rows until this one has ended. */
  hasFailed: boolean;
};

export function noUnstoredDeliveries(): UnstoredDeliveries {
  return { entries: new Map(), aggregates: new Map(), behindCount: 0, readUntil: 0n };
}

/** Takes a delivery that was read from the log, in its order. Returns whether it may be sent. */
export function addUnstored(unstored: UnstoredDeliveries, delivery: UnstoredDelivery, readAtMs: number): boolean {
  const { entries, aggregates } = unstored;
  const entry: Unstored = { delivery, readAtMs, place: 'sendable' };
  entries.set(delivery.id, entry);
  if (!delivery.isOrdered) return true;
  const key = aggregateOf(delivery);
  const aggregate = aggregates.get(key);
  if (delivery.isBlocked || aggregate?.hasFailed === true) entry.place = 'waits';
  else if (aggregate === undefined) aggregates.set(key, { behind: [], hasFailed: false });
  else {
    entry.place = 'behind';
    aggregate.behind.push(delivery);
    unstored.behindCount += 1;
  }
  return entry.place === 'sendable';
}

/** Puts a delivery that has a row behind others of its aggregate in memory. Returns false if there are none. */
export function addBehind(unstored: UnstoredDeliveries, delivery: DueDelivery): boolean {
  const aggregate = unstored.aggregates.get(aggregateOf(delivery));
  if (aggregate === undefined) return false;
  aggregate.behind.push(delivery);
  unstored.behindCount += 1;
  return true;
}

export function behindIn({ aggregates }: UnstoredDeliveries): readonly DueDelivery[] {
  return [...aggregates.values()].flatMap(({ behind }) => behind);
}

/** Returns the next delivery of the aggregate, if there is one: it may be sent now. */
export function afterSuccess(unstored: UnstoredDeliveries, delivery: DueDelivery): readonly DueDelivery[] {
  const { entries, aggregates } = unstored;
  const key = aggregateOf(delivery);
  const next = aggregates.get(key)?.behind.shift();
  if (next === undefined) {
    aggregates.delete(key);
    return [];
  }
  unstored.behindCount -= 1;
  setPlace(entries, next.id, 'sendable');
  return [next];
}

/** The next deliveries of the aggregate leave the memory. Returns those among them that have rows already. */
export function afterFailure(unstored: UnstoredDeliveries, delivery: DueDelivery): readonly DueDelivery[] {
  const { entries, aggregates } = unstored;
  const aggregate = aggregates.get(aggregateOf(delivery));
  if (aggregate === undefined) return [];
  aggregate.hasFailed = true;
  const behind = aggregate.behind.splice(0);
  unstored.behindCount -= behind.length;
  for (const { id } of behind) setPlace(entries, id, 'waits');
  return behind.filter(({ id }) => !entries.has(id));
}

/** The row of a failed delivery says from now on that the next ones of its aggregate wait. */
export function endFailure({ aggregates }: UnstoredDeliveries, delivery: DueDelivery): void {
  const key = aggregateOf(delivery);
  if (aggregates.get(key)?.hasFailed === true) aggregates.delete(key);
}

/** A delivery that gets a row before its first attempt has ended. */
export type Overdue = { readonly delivery: DueDelivery; readonly isSendable: boolean; readonly staysInMemory: boolean };

/** What waits in rows from now on, and what was read before this time. */
export function overdueIn({ entries }: UnstoredDeliveries, readBeforeMs: number): readonly Overdue[] {
  const overdue: Overdue[] = [];
  for (const { delivery, place, readAtMs } of entries.values()) {
    if (place === 'waits') overdue.push({ delivery, isSendable: false, staysInMemory: false });
    else if (readAtMs < readBeforeMs) overdue.push({ delivery, isSendable: place === 'sendable', staysInMemory: true });
  }
  return overdue;
}

/** When the oldest one was read; infinite if there is none. */
export function oldestIn({ entries }: UnstoredDeliveries): number {
  for (const { readAtMs } of entries.values()) return readAtMs;
  return Number.POSITIVE_INFINITY;
}

/** The position up to which each event has a row once these deliveries have theirs. */
export function storedUntil({ entries, readUntil }: UnstoredDeliveries, ids: ReadonlySet<WebhookDeliveryId>): bigint {
  for (const [id, { delivery }] of entries) if (!ids.has(id)) return delivery.position - 1n;
  return readUntil;
}

function aggregateOf({ aggregateType, aggregateId }: DueDelivery): string {
  return `${aggregateType} ${aggregateId}`;
}

function setPlace(entries: UnstoredDeliveries['entries'], id: WebhookDeliveryId, place: Unstored['place']): void {
  const entry = entries.get(id);
  if (entry !== undefined) entry.place = place;
}
