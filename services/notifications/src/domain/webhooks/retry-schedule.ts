export type Retry = {
  /** The gaps between the attempts, in seconds. */
  readonly gaps: readonly number[];
  /** How many attempts were made. */
  readonly attempts: number;
  readonly retryAfterSeconds: number | null;
  /** From 0 up to, excluding, 1. */
  readonly random: number;
};

const jitter = 0.2;

/**
 * In how many milliseconds the next attempt is due; undefined after the last one. Gaps vary by a fifth, so that what failed together does
 * not return together. A receiver can lengthen a gap to its double at most, and not shorten it.
 */
export function nextAttemptInMs({ gaps, attempts, retryAfterSeconds, random }: Retry): number | undefined {
  const gap = gaps[attempts - 1];
  if (gap === undefined) return undefined;
  const planned = gap * (1 - jitter + 2 * jitter * random);
  const seconds = retryAfterSeconds === null ? planned : Math.min(Math.max(retryAfterSeconds, planned), 2 * gap);
  return Math.round(seconds * 1_000);
}
