import { setTimeout as pause } from 'node:timers/promises';

/** Only a failing test waits this long; a busy machine may need much of it. */
const defaultTimeoutMs = 60_000;
const pollMs = 20;

/** Repeats an assertion until it passes. Throws the last failure at the time limit. */
export async function eventually<T>(assertion: () => T | Promise<T>, options: { readonly timeoutMs?: number } = {}): Promise<T> {
  const deadline = performance.now() + (options.timeoutMs ?? defaultTimeoutMs);
  for (;;) {
    try {
      return await assertion();
    } catch (error) {
      if (performance.now() > deadline) throw error;
      await pause(pollMs);
    }
  }
}
