import type { WebhookDeliveryId } from '@holdfast/kernel/ids';
import { firstSlots, replaySlots, type Slots } from '../../domain/webhooks/slots.js';
import { addBehind, behindIn, noUnstoredDeliveries, type UnstoredDeliveries } from './unstored-deliveries.js';
import type { Claimed, DueDelivery, Lease, Wanted } from './worker-ports.js';

/** An endpoint that this process has leased. */
export type HeldEndpoint = {
  readonly lease: Lease;
  /** The end of the lease, in the time of `performance.now()`. */
  leasedUntilMs: number;
  slots: Slots;
  /** Read, and not sent yet. */
  readonly waiting: { readonly first: DueDelivery[]; readonly replays: DueDelivery[] };
  readonly inFlight: Map<WebhookDeliveryId, DueDelivery>;
  /** Not attempted, because the lease was about to end. */
  readonly postponed: DueDelivery[];
  readonly unstored: UnstoredDeliveries;
  /** Whether the database may have more due deliveries. */
  isMore: boolean;
  /** Whether events of the log may have rows of the process that had the endpoint before. */
  isTakenOver: boolean;
};

export function holdEndpoint({ endpointId, token, isTakenOver }: Claimed, leasedUntilMs: number): HeldEndpoint {
  return {
    lease: { endpointId, token },
    leasedUntilMs,
    slots: firstSlots,
    waiting: { first: [], replays: [] },
    inFlight: new Map(),
    postponed: [],
    unstored: noUnstoredDeliveries(),
    isMore: true,
    isTakenOver,
  };
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

/** How many more deliveries are to be read. */
export function wantedOf({ lease, slots, waiting, unstored }: HeldEndpoint, perSlot: number): Wanted {
  const firstMax = Math.max(0, perSlot * slots.count - waiting.first.length - unstored.behindCount);
  const replayMax = Math.max(0, perSlot * replaySlots(slots) - waiting.replays.length);
  return { endpointId: lease.endpointId, firstMax, replayMax };
}

/** Takes a delivery that was read from its row. */
export function addDue({ waiting, unstored }: HeldEndpoint, delivery: DueDelivery): void {
  if (delivery.isReplay) waiting.replays.push(delivery);
  else if (!addBehind(unstored, delivery)) waiting.first.push(delivery);
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

/** Nothing is to be sent or stored. */
export function isIdle(endpoint: HeldEndpoint): boolean {
  const { inFlight, postponed, unstored, isMore } = endpoint;
  return waitingIn(endpoint) + inFlight.size + postponed.length + unstored.entries.size === 0 && !isMore;
}

/** Everything in memory that is not in flight. */
export function waitingOf({ waiting, postponed, unstored }: HeldEndpoint): readonly DueDelivery[] {
  return [...waiting.first, ...waiting.replays, ...postponed, ...behindIn(unstored)];
}

/** The endpoint is disabled or deleted: what is in flight ends, and nothing else is sent. */
export function clearWaiting({ waiting, postponed, unstored }: HeldEndpoint): void {
  for (const list of [waiting.first, waiting.replays, postponed]) list.length = 0;
  unstored.entries.clear();
  unstored.aggregates.clear();
  unstored.behindCount = 0;
}

function waitingIn({ waiting, unstored }: HeldEndpoint): number {
  return waiting.first.length + waiting.replays.length + unstored.behindCount;
}
