import { toInstant, type Clock } from '@holdfast/kernel/context';

export type ManualClock = Clock & { readonly advance: (ms: number) => void };

/** A clock that changes only through `advance`. */
export function manualClock(start = '2026-01-31T12:00:00.000Z'): ManualClock {
  let epochMs = Date.parse(start);
  return {
    now: () => toInstant(epochMs),
    epochMs: () => Math.floor(epochMs),
    advance: (ms) => {
      epochMs += ms;
    },
  };
}
