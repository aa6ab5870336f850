import type { WebhookDeliveryId } from '@holdfast/kernel/ids';
import { firstSlots, replaySlots, type Slots } from '../../domain/webhooks/slots.js';
import type { DueDelivery, Lease, Wanted } from './ports.js';

/** An endpoint that this process has leased. */
export type HeldEndpoint = {
  readonly lease: Lease;
  /** The end of the lease, in the time of `performance.now()`. */
  leasedUntilMs: number;
  slots: Slots;
  /** Read, and not sent yet. */
  readonly waiting: { readonly first: DueDelivery[]; readonly replays: DueDelivery[] };
  readonly inFlight: Map<WebhookDeliveryId, DueDelivery>;
  /** Whether the database may have more due deliveries. */
  isMore: boolean;
};

export function holdEndpoint(lease: Lease, leasedUntilMs: number): HeldEndpoint {
  return { lease, leasedUntilMs, slots: firstSlots, waiting: { first: [], replays: [] }, inFlight: new Map(), isMore: true };
}

/**
 * So many deliveries are read for each slot, so that a slot that becomes free is used before the next read. A process with many
 * deliveries in memory reads only what the slots take.
 */
const readAhead = { usual: 16, crowded: 1 };
const crowdedFrom = 2_000;

export function readAheadOf(endpoints: Iterable<HeldEndpoint>): number {
  let count = 0;
  for (const endpoint of endpoints) count += waitingIn(endpoint);
  return count < crowdedFrom ? readAhead.usual : readAhead.crowded;
}

/** Undefined where enough is read. */
export function wantedOf({ lease, slots, waiting, isMore }: HeldEndpoint, perSlot: number): Wanted | undefined {
  const firstMax = Math.max(0, perSlot * slots.count - waiting.first.length);
  const replayMax = Math.max(0, perSlot * replaySlots(slots) - waiting.replays.length);
  return isMore && firstMax + replayMax > 0 ? { endpointId: lease.endpointId, firstMax, replayMax } : undefined;
}

export function addWaiting({ waiting }: HeldEndpoint, delivery: DueDelivery): void {
  (delivery.isReplay ? waiting.replays : waiting.first).push(delivery);
}

/** Takes the next delivery that has a slot; first deliveries come before replays, which have at most half of the slots. */
export function takeNext({ slots, waiting, inFlight }: HeldEndpoint): DueDelivery | undefined {
  if (inFlight.size >= slots.count) return undefined;
  const next = waiting.first.shift() ?? takeReplay({ slots, waiting, inFlight });
  if (next !== undefined) inFlight.set(next.id, next);
  return next;
}

function takeReplay({ slots, waiting, inFlight }: Pick<HeldEndpoint, 'slots' | 'waiting' | 'inFlight'>): DueDelivery | undefined {
  if (waiting.replays.length === 0) return undefined;
  const replaysInFlight = [...inFlight.values()].filter(({ isReplay }) => isReplay).length;
  return replaysInFlight < replaySlots(slots) ? waiting.replays.shift() : undefined;
}

export function isIdle(endpoint: HeldEndpoint): boolean {
  return waitingIn(endpoint) === 0 && endpoint.inFlight.size === 0 && !endpoint.isMore;
}

function waitingIn({ waiting }: HeldEndpoint): number {
  return waiting.first.length + waiting.replays.length;
}
