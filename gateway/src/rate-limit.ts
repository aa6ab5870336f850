import type { Clock } from '@holdfast/kernel/context';
import { AppError } from '@holdfast/kernel/errors';
import type { WindowCount } from './memory-windows.js';

/** Counts requests, in this process or in the database for all replicas. */
export type RateWindows = {
  readonly increment: (key: string) => WindowCount | Promise<WindowCount>;
  readonly get: (key: string) => WindowCount;
};

export type RateLimit = {
  /** Counts one request. */
  readonly count: (key: string) => WindowCount | undefined | Promise<WindowCount>;
  readonly get: (key: string) => WindowCount | undefined;
  readonly isExceeded: (window: WindowCount | undefined) => boolean;
  /** Whether the next request that counts will exceed the limit. */
  readonly isReached: (window: WindowCount | undefined) => boolean;
  /** RATE_LIMITED with its details, from which the response also gets Retry-After. */
  readonly errorOf: (window: WindowCount | undefined) => AppError;
  /** The X-RateLimit headers of every response. */
  readonly headersOf: (window: WindowCount | undefined) => Readonly<Record<string, string>>;
};

export type RateLimitSettings = {
  /** 0 switches the limit off. */
  readonly rateLimitMax: number;
  readonly rateLimitWindowSeconds: number;
};

type Options = RateLimitSettings & { readonly windows: RateWindows; readonly clock: Pick<Clock, 'epochMs'> };

const off: RateLimit = {
  count: () => undefined,
  get: () => undefined,
  isExceeded: () => false,
  isReached: () => false,
  errorOf: () => new AppError('RATE_LIMITED'),
  headersOf: () => ({}),
};

export function createRateLimit({
  rateLimitMax: limit,
  rateLimitWindowSeconds: windowSeconds,
  windows,
  clock,
}: Options): RateLimit {
  if (limit === 0) return off;
  const retryAfterOf = (endsAtMs: number): number => Math.max(1, Math.ceil((endsAtMs - clock.epochMs()) / 1_000));
  return {
    count: windows.increment,
    get: windows.get,
    isExceeded: (window) => window !== undefined && window.used > limit,
    isReached: (window) => window !== undefined && window.used >= limit,
    errorOf: (window) => {
      const retryAfter = retryAfterOf(window?.endsAtMs ?? 0);
      return new AppError('RATE_LIMITED', { limit, windowSeconds, retryAfter });
    },
    headersOf: (window) => {
      if (window === undefined) return {};
      return {
        'X-RateLimit-Limit': String(limit),
        'X-RateLimit-Remaining': String(Math.max(0, limit - window.used)),
        'X-RateLimit-Reset': String(Math.ceil(window.endsAtMs / 1_000)),
      };
    },
  };
}
