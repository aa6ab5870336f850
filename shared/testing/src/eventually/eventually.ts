import { setTimeout as pause } from 'node:timers/promises';

/** Only a failing test waits this long; a busy machine may need much of it. */
const defaultTimeoutMs = 60_000;
const pollMsMin = 20;
const pollMsMax = 300;
/** Assertions ask servers, so one that takes long is repeated less often. */
const shareOfWait = 0.15;

/** Repeats an assertion until it passes. Throws the last failure at the time limit. */
export async function eventually<T>(assertion: () => T | Promise<T>, options: { readonly timeoutMs?: number } = {}): Promise<T> {
  const startedAt = performance.now();
  const timeoutMs = options.timeoutMs ?? defaultTimeoutMs;
  for (;;) {
    try {
      return await assertion();
    } catch (error) {
      const waitedMs = performance.now() - startedAt;
      if (waitedMs > timeoutMs) throw error;
      await pause(Math.min(pollMsMax, Math.max(pollMsMin, waitedMs * shareOfWait)));
    }
  }
}
