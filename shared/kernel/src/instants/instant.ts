/** A UTC timestamp with microseconds: `2026-01-31T12:00:00.123456Z`. Such strings sort by time. */
export type Instant = `${string}Z`;

export type Clock = { readonly now: () => Instant; readonly epochMs: () => number };

/** A larger difference means that the wall clock was set or the machine was suspended; the origin is then corrected. */
const driftMsMax = 20;

/** The only reader of the system time: the wall clock, with microseconds from the monotonic clock. */
export function systemClock(): Clock {
  let origin = performance.timeOrigin;
  const epochMs = (): number => Date.now(); // eslint-disable-line holdfast/no-ambient-time -- all other code gets a clock as an argument
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

/** Whole milliseconds; the microseconds are dropped. */
export function toEpochMs(instant: Instant): number {
  return Date.parse(instant);
}
