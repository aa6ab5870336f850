import { toEpochMs, toInstant, type Instant } from '@holdfast/kernel/context';
import { AppError } from '@holdfast/kernel/errors';

export type Rate = {
  /** What one user may create in a minute; 0 means no limit. */
  readonly limit: number;
  readonly at: Instant;
  /** The times of what was created after this one, oldest first. */
  readonly createdSince: (since: Instant) => Promise<readonly Instant[]>;
};

const windowMs = 60_000;

/** RATE_LIMITED with the time until the next one is allowed. A locked row of the user makes the count exact for concurrent requests. */
export async function requireWithinRate({ limit, at, createdSince }: Rate): Promise<void> {
  if (limit === 0) return;
  const nowMs = toEpochMs(at);
  const oldest = (await createdSince(toInstant(nowMs - windowMs))).at(-limit);
  if (oldest === undefined) return;
  const retryAfter = Math.max(1, Math.ceil((toEpochMs(oldest) + windowMs - nowMs) / 1_000));
  throw new AppError('RATE_LIMITED', { limit, windowSeconds: windowMs / 1_000, retryAfter });
}
