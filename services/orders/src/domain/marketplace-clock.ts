import { instantAfter, type Instant } from '@holdfast/kernel/instants';

/** The time of a marketplace. Only the sandbox has clocks that differ from the real time. */
export type MarketplaceClock = {
  /** How far it is ahead of the real time. */
  readonly offsetSeconds: number;
  /** While its timers catch up with an advance, the clock stands at the time of the one whose turn it is. */
  readonly standsAt: Instant | null;
};

export const realTime: MarketplaceClock = { offsetSeconds: 0, standsAt: null };

/** The time of the marketplace at this real time. Everything that ends by time is set and compared by it. See ADR 0108. */
export function timeBy({ offsetSeconds, standsAt }: MarketplaceClock, at: Instant): Instant {
  if (standsAt !== null) return standsAt;
  return offsetSeconds === 0 ? at : instantAfter(at, `PT${offsetSeconds}S`);
}
