/** How many attempts to an endpoint may be in flight. */
export type Slots = {
  readonly count: number;
  /** Whether the last attempt has succeeded soon enough. Others get only a part of the places of the process. */
  readonly isHealthy: boolean;
};

export const firstSlots: Slots = { count: 2, isHealthy: true };
const countMin = 2;
const countMax = 32;
/** An endpoint that responds more slowly would need many places of the process for the same work. */
const slowMs = 1_000;

export function slotsAfter({ count }: Slots, attempt: { readonly isDelivered: boolean; readonly durationMs: number }): Slots {
  const isHealthy = attempt.isDelivered && attempt.durationMs < slowMs;
  return { isHealthy, count: isHealthy ? Math.min(countMax, count + 1) : Math.max(countMin, Math.floor(count / 2)) };
}

/** Replays, resends and tests have at most half of the slots. */
export function replaySlots({ count }: Slots): number {
  return Math.floor(count / 2);
}
