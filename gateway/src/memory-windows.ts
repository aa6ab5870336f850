import { LRUCache } from 'lru-cache';
import type { Clock } from '@holdfast/kernel/context';

/** How much of a window is used, this request included, and when it ends. */
export type WindowCount = { readonly used: number; readonly endsAtMs: number };

export type MemoryWindows = {
  readonly increment: (key: string) => WindowCount;
  readonly decrement: (key: string) => void;
  /** What is used so far, counting nothing. */
  readonly get: (key: string) => WindowCount;
  /** What another count of the same window has come to. */
  readonly set: (key: string, taken: WindowCount) => void;
};

type Options = { readonly windowMs: number; readonly clock: Pick<Clock, 'epochMs'>; readonly windowsMax?: number };

const windowsMaxDefault = 100_000;

/** Windows of a fixed length, each beginning with its first request. Bounded: those that were used least recently make room. */
export function createMemoryWindows({ windowMs, clock, windowsMax = windowsMaxDefault }: Options): MemoryWindows {
  const windows = new LRUCache<string, WindowCount>({ max: windowsMax });

  const get = (key: string): WindowCount => {
    const window = windows.peek(key);
    const nowMs = clock.epochMs();
    return window !== undefined && nowMs < window.endsAtMs ? window : { used: 0, endsAtMs: nowMs + windowMs };
  };

  const store = (key: string, taken: WindowCount): WindowCount => {
    windows.set(key, taken);
    return taken;
  };

  return {
    get,
    increment: (key) => {
      const { used, endsAtMs } = get(key);
      return store(key, { used: used + 1, endsAtMs });
    },
    decrement: (key) => {
      const { used, endsAtMs } = get(key);
      if (used > 0) store(key, { used: used - 1, endsAtMs });
    },
    set: (key, taken) => void store(key, taken),
  };
}
