import type { Clock } from '@holdfast/kernel/context';

/**
 * Limits what events without a signature may cause, because any stranger can send them: each check and each wake-up of an intent costs
 * calls to provider and network. What is refused here is covered by the checks and polls that run anyway.
 */
export type UnsignedChecks = {
  readonly mayCheck: (escrowId: string) => boolean;
  readonly mayWake: (intentId: string) => boolean;
};

/** One check per contract, and one wake-up per intent, in this time. */
const everyMs = 30_000;
/** Checks of all contracts in this time, by this process. */
const checksMax = 20;
const windowMs = 60_000;

export function createUnsignedChecks(clock: Pick<Clock, 'epochMs'>): UnsignedChecks {
  const checked = oncePerInterval(clock, everyMs);
  const woken = oncePerInterval(clock, everyMs);
  let window = { beganAt: clock.epochMs(), checks: 0 };
  return {
    mayWake: woken,
    mayCheck: (escrowId) => {
      const now = clock.epochMs();
      if (now - window.beganAt >= windowMs) window = { beganAt: now, checks: 0 };
      if (window.checks >= checksMax || !checked(escrowId)) return false;
      window.checks += 1;
      return true;
    },
  };
}

/** True for the first call with a key in each interval. Keys of past intervals are forgotten. */
function oncePerInterval(clock: Pick<Clock, 'epochMs'>, intervalMs: number): (key: string) => boolean {
  const times = new Map<string, number>();
  return (key) => {
    const now = clock.epochMs();
    for (const [known, time] of times) {
      if (now - time < intervalMs) break; // in the order of their times
      times.delete(known);
    }
    if (times.has(key)) return false;
    times.set(key, now);
    return true;
  };
}
