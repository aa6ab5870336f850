/** A moment in UTC with microseconds: `2026-01-31T12:00:00.123456Z`. Texts of this form sort by time. */
export type Instant = `${string}Z`;

export type Clock = { readonly now: () => Instant; readonly epochMs: () => number };

/** Beyond this the wall clock was set or the machine slept, and the fine clock is tied to it anew. */
const driftMsMax = 20;

/**
 * The only place that asks the machine for the time: the wall clock, with microseconds from the monotonic one.
 */
export function systemClock(): Clock {
  let origin = performance.timeOrigin;
  const epochMs = (): number => Date.now(); // eslint-disable-line holdfast/no-ambient-time -- everyone else is given a clock
  const fineEpochMs = (): number => {
    const fine = origin + performance.now();
    const wall = epochMs();
    if (Math.abs(fine - wall) <= driftMsMax) return fine;
    origin += wall - fine;
    return wall;
  };
  return { now: () => toInstant(fineEpochMs()), epochMs };
}

export function toInstant(epochMs: number): Instant {
  return `${new Date(epochMs).toISOString().slice(0, -1)}${microsOf(epochMs)}Z`;
}

function microsOf(epochMs: number): string {
  return Math.floor((epochMs % 1) * 1_000)
    .toString()
    .padStart(3, '0');
}

/** Whole milliseconds: the microseconds of an instant are for order and display, not for arithmetic. */
export function toEpochMs(instant: Instant): number {
  return Date.parse(instant);
}
