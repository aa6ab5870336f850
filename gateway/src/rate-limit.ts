import type { Clock } from '@holdfast/shared/context';
import { AppError } from '@holdfast/shared/errors';
import type { Taken } from './memory-windows.js';

/** Where requests are counted: in this process, or in the database for all replicas together. */
export type RateWindows = {
  readonly take: (key: string) => Promise<Taken>;
  readonly look: (key: string) => Taken;
};

export type RateLimit = {
  /** Counts one request. */
  readonly count: (key: string) => Promise<Taken | undefined>;
  readonly look: (key: string) => Taken | undefined;
  readonly isExceeded: (taken: Taken | undefined) => boolean;
  /** RATE_LIMITED where it was one too many. */
  readonly demand: (taken: Taken | undefined) => void;
  /** Names and values in turn, for every answer. */
  readonly headersOf: (taken: Taken | undefined) => readonly string[];
};

export type RateLimitSettings = {
  /** 0 switches it off. */
  readonly rateLimitMax: number;
  readonly rateLimitWindowSeconds: number;
};

type Options = RateLimitSettings & { readonly windows: RateWindows; readonly clock: Pick<Clock, 'epochMs'> };

const off: RateLimit = {
  count: () => Promise.resolve(undefined),
  look: () => undefined,
  isExceeded: () => false,
  demand: () => undefined,
  headersOf: () => [],
};

export function createRateLimit({
  rateLimitMax: limit,
  rateLimitWindowSeconds: windowSeconds,
  windows,
  clock,
}: Options): RateLimit {
  if (limit === 0) return off;
  const retryAfterOf = ({ endsAtMs }: Taken): number => Math.max(1, Math.ceil((endsAtMs - clock.epochMs()) / 1_000));
  return {
    count: windows.take,
    look: windows.look,
    isExceeded: (taken) => taken !== undefined && taken.used > limit,
    demand: (taken) => {
      if (taken === undefined || taken.used <= limit) return;
      throw new AppError('RATE_LIMITED', { limit, windowSeconds, retryAfter: retryAfterOf(taken) });
    },
    headersOf: (taken) => {
      if (taken === undefined) return [];
      const remaining = Math.max(0, limit - taken.used);
      const headers = ['X-RateLimit-Limit', String(limit), 'X-RateLimit-Remaining', String(remaining)];
      const reset = ['X-RateLimit-Reset', String(Math.ceil(taken.endsAtMs / 1_000))];
      const retry = taken.used > limit ? ['Retry-After', String(retryAfterOf(taken))] : [];
      return [...headers, ...reset, ...retry];
    },
  };
}
