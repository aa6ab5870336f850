import type { WebhookDeliveryId } from '@holdfast/kernel/ids';
import { firstSlots, replaySlots, type Slots } from '../../domain/webhooks/slots.js';
import type { DueDelivery, Lease, Wanted } from './ports.js';

/** An endpoint that this process has leased. */
export type HeldEndpoint = {
  readonly lease: Lease;
  /** In the time of `performance.now()`. */
  leasedUntilMs: number;
  slots: Slots;
  /** Read, and not sent yet. */
  waiting: readonly DueDelivery[];
  readonly inFlight: Map<WebhookDeliveryId, DueDelivery>;
  /** Whether the database may have more due deliveries. */
  isMore: boolean;
};

export function holdEndpoint(lease: Lease, leasedUntilMs: number): HeldEndpoint {
  return { lease, leasedUntilMs, slots: firstSlots, waiting: [], inFlight: new Map(), isMore: true };
}

/** So many deliveries are read ahead for each slot, so that a slot that becomes free is used before the next read. */
const readAhead = 2;

/** Undefined where enough is read. */
export function wantedOf({ lease, slots, waiting, isMore }: HeldEndpoint): Wanted | undefined {
  const replays = waiting.filter(({ isReplay }) => isReplay).length;
  const firstMax = Math.max(0, readAhead * slots.count - (waiting.length - replays));
  const replayMax = Math.max(0, readAhead * replaySlots(slots) - replays);
  return isMore && firstMax + replayMax > 0 ? { endpointId: lease.endpointId, firstMax, replayMax } : undefined;
}

/** Takes the next delivery that has a slot; first deliveries come before replays, which have at most half of the slots. */
export function takeNext(held: HeldEndpoint): DueDelivery | undefined {
  const { slots, waiting, inFlight } = held;
  if (inFlight.size >= slots.count) return undefined;
  const replays = [...inFlight.values()].filter(({ isReplay }) => isReplay).length;
  const next =
    waiting.find(({ isReplay }) => !isReplay) ??
    (replays < replaySlots(slots) ? waiting.find(({ isReplay }) => isReplay) : undefined);
  if (next === undefined) return undefined;
  held.waiting = waiting.filter((delivery) => delivery !== next);
  inFlight.set(next.id, next);
  return next;
}

export function isIdle({ waiting, inFlight, isMore }: HeldEndpoint): boolean {
  return waiting.length === 0 && inFlight.size === 0 && !isMore;
}
