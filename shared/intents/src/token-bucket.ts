import type { Clock } from '@holdfast/kernel/context';

export type TokenBucketOptions = {
  /** Calls within one window; undefined means no limit. */
  readonly callsMax?: number;
  readonly windowMs: number;
  readonly clock: Pick<Clock, 'epochMs'>;
};

export type TokenBucket = {
  /** Resolves when a call may be made. Lower priority numbers go first, equal ones in order. */
  readonly take: (priority: number, signal?: AbortSignal) => Promise<void>;
  /** Calls that could be made right now; undefined without a limit. */
  readonly left: () => number | undefined;
};

type Waiter = { readonly priority: number; readonly resolve: () => void };

/** Tokens are refilled continuously over the window, so that calls do not burst at the start of each window. */
export function createTokenBucket({ callsMax, windowMs, clock }: TokenBucketOptions): TokenBucket {
  if (callsMax === undefined) return { take: () => Promise.resolve(), left: () => undefined };
  const msPerToken = windowMs / callsMax;
  const waiting: Waiter[] = [];
  let tokens = callsMax;
  let countedAt = clock.epochMs();
  let timer: NodeJS.Timeout | undefined;

  const refill = (): void => {
    const now = clock.epochMs();
    tokens = Math.min(callsMax, tokens + Math.max(0, now - countedAt) / msPerToken);
    countedAt = now;
  };
  const serve = (): void => {
    timer = undefined;
    refill();
    while (tokens >= 1 && waiting.length > 0) {
      tokens -= 1;
      waiting.shift()?.resolve();
    }
    if (waiting.length > 0) timer = setTimeout(serve, Math.ceil((1 - tokens) * msPerToken)).unref();
  };

  return {
    left: () => {
      refill();
      return Math.floor(tokens);
    },
    take: (priority, signal) =>
      new Promise((resolve, reject) => {
        const waiter: Waiter = { priority, resolve };
        const place = waiting.findIndex((other) => other.priority > priority);
        waiting.splice(place === -1 ? waiting.length : place, 0, waiter);
        signal?.addEventListener('abort', () => {
          const at = waiting.indexOf(waiter);
          if (at === -1) return;
          waiting.splice(at, 1);
          reject(signal.reason instanceof Error ? signal.reason : new Error('aborted'));
        });
        if (timer === undefined) serve();
      }),
  };
}
