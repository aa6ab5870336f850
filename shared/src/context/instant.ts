/** A moment in UTC with microseconds: `2026-01-31T12:00:00.123456Z`. Texts of this form sort by time. */
export type Instant = `${string}Z`;

export type Clock = { readonly now: () => Instant; readonly epochMs: () => number };

/** Beyond this the wall clock was set or the machine slept, and the fine clock is tied to it anew. */
const driftMsMax = 20;

/**
 * The only place that asks the machine for the time: the wall clock, with microseconds from the monotonic one. The text of a
 * millisecond is made once, because every request and message asks several times.
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
  let lastMs = -1;
  let lastText = '';
  const now = (): Instant => {
    const fine = fineEpochMs();
    const ms = Math.floor(fine);
    if (ms !== lastMs) [lastMs, lastText] = [ms, new Date(ms).toISOString().slice(0, -1)];
    return `${lastText}${microsOf(fine)}Z`;
  };
  return { now, epochMs };
}

export function toInstant(epochMs: number): Instant {
  return `${new Date(epochMs).toISOString().slice(0, -1)}${microsOf(epochMs)}Z`;
}

/** Every text that the microseconds of a millisecond can have: each request and message asks for one of them several times. */
const microsTexts = Array.from({ length: 1_000 }, (_, micros) => micros.toString().padStart(3, '0'));

function microsOf(epochMs: number): string {
  return microsTexts[Math.floor((epochMs % 1) * 1_000)] ?? '000';
}

/** Whole milliseconds: the microseconds of an instant are for order and display, not for arithmetic. */
export function toEpochMs(instant: Instant): number {
  return Date.parse(instant);
}
