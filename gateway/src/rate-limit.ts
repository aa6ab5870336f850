import type { Clock } from '@holdfast/kernel/context';
import { AppError } from '@holdfast/kernel/errors';
import type { WindowCount } from './memory-windows.js';

/** Where requests are counted: in this process, or in the database for all replicas together. */
export type RateWindows = {
  readonly increment: (key: string) => Promise<WindowCount>;
  readonly get: (key: string) => WindowCount;
};

export type RateLimit = {
  /** Counts one request. */
  readonly count: (key: string) => Promise<WindowCount | undefined>;
  readonly get: (key: string) => WindowCount | undefined;
  readonly isExceeded: (taken: WindowCount | undefined) => boolean;
  /** For a request that was one too many. */
  readonly refusalOf: (taken: WindowCount | undefined) => AppError;
  /** For every response. */
  readonly headersOf: (taken: WindowCount | undefined) => Readonly<Record<string, string>>;
};

export type RateLimitSettings = {
  /** 0 switches it off. */
  readonly rateLimitMax: number;
  readonly rateLimitWindowSeconds: number;
};

type Options = RateLimitSettings & { readonly windows: RateWindows; readonly clock: Pick<Clock, 'epochMs'> };

const off: RateLimit = {
  count: () => Promise.resolve(undefined),
  get: () => undefined,
  isExceeded: () => false,
  refusalOf: () => new AppError('RATE_LIMITED'),
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
    isExceeded: (taken) => taken !== undefined && taken.used > limit,
    refusalOf: (taken) => {
      const retryAfter = retryAfterOf(taken?.endsAtMs ?? 0);
      return new AppError('RATE_LIMITED', { limit, windowSeconds, retryAfter });
    },
    headersOf: (taken) => {
      if (taken === undefined) return {};
      return {
        'X-RateLimit-Limit': String(limit),
        'X-RateLimit-Remaining': String(Math.max(0, limit - taken.used)),
        'X-RateLimit-Reset': String(Math.ceil(taken.endsAtMs / 1_000)),
        ...(taken.used > limit ? { 'Retry-After': String(retryAfterOf(taken.endsAtMs)) } : {}),
      };
    },
  };
}
