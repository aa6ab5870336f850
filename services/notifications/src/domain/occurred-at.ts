import type { Instant } from '@holdfast/kernel/context';

/** A time before the timestamp of every event. */
export const earliestInstant: Instant = '0001-01-02T00:00:00.000000Z';

export type Moments = {
  /** The last timestamp shown to the marketplace. */
  readonly last: Instant | undefined;
  readonly produced: Instant;
  readonly now: Instant;
};

/**
 * The `occurredAt` that the stream shows for an event. It increases strictly within a marketplace, so that it can be a cursor; a
 * publisher whose clock is ahead cannot move it into the future.
 */
export function shownMoment({ last, produced, now }: Moments): Instant {
  const notInFuture = produced < now ? produced : now;
  if (last === undefined || notInFuture > last) return notInFuture;
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
