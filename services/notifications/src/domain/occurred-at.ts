import type { Instant } from '@holdfast/kernel/context';

export type Moments = {
  /** The last moment that the marketplace was shown. */
  readonly last: Instant | undefined;
  readonly produced: Instant;
  readonly now: Instant;
};

/**
 * The moment that the stream shows for an event. It increases strictly within a marketplace, so that it can be a cursor; a
 * producer whose clock runs ahead cannot push it into the future.
 */
export function shownMoment({ last, produced, now }: Moments): Instant {
  const believed = produced < now ? produced : now;
  if (last === undefined || believed > last) return believed;
  return nextMicrosecond(last);
}

const millisecondsEnd = 23;
const microsPerMillisecond = 1_000;

function nextMicrosecond(instant: Instant): Instant {
  const micros = Number(instant.slice(millisecondsEnd, -1)) + 1;
  if (micros < microsPerMillisecond) return `${instant.slice(0, millisecondsEnd)}${micros.toString().padStart(3, '0')}Z`;
  const nextMs = new Date(Date.parse(`${instant.slice(0, millisecondsEnd)}Z`) + 1);
  return `${nextMs.toISOString().slice(0, -1)}000Z`;
}
