import { toEpochMs, toInstant, type Instant } from './instant.js';

/** An ISO 8601 duration of weeks, days, hours, minutes and whole seconds: `P14D`, `PT36H`, `P1W`, `P1DT12H`. */
export type Duration = `P${string}`;

const form = /^P(?=.)(?:(\d+)W)?(?:(\d+)D)?(?:T(?=.)(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?)?$/;
const msPerUnit = [604_800_000, 86_400_000, 3_600_000, 60_000, 1_000] as const;

/** In milliseconds. Undefined if it has another form. Years and months are refused, because their length depends on the calendar. */
export function durationMsOf(text: string): number | undefined {
  const counts = form.exec(text)?.slice(1);
  const ms = counts?.reduce((sum, count: string | undefined, unit) => sum + Number(count ?? 0) * (msPerUnit[unit] ?? 0), 0);
  return ms !== undefined && Number.isSafeInteger(ms) ? ms : undefined;
}

export function isDuration(text: string): text is Duration {
  return durationMsOf(text) !== undefined;
}

/** Whole days stay as they are; nothing is rounded: the microseconds of the instant stay. */
export function instantAfter(at: Instant, duration: Duration): Instant {
  return shifted(at, requireMs(duration));
}

export function instantBefore(at: Instant, duration: Duration): Instant {
  return shifted(at, -requireMs(duration));
}

function shifted(at: Instant, ms: number): Instant {
  const micros = at.slice(-4, -1);
  return `${toInstant(toEpochMs(at) + ms).slice(0, -4)}${micros}Z`;
}

function requireMs(duration: Duration): number {
  const ms = durationMsOf(duration);
  if (ms === undefined) throw new RangeError(`${duration} is not a duration`);
  return ms;
}
