import { LRUCache } from 'lru-cache';
import type { Clock } from '@holdfast/kernel/context';

/** The requests counted in a window so far, including the current one, and when the window ends. */
export type WindowCount = { readonly used: number; readonly endsAtMs: number };

export type MemoryWindows = {
  readonly increment: (key: string) => WindowCount;
  readonly decrement: (key: string) => void;
  /** The count without incrementing it. */
  readonly get: (key: string) => WindowCount;
  /** Replaces the count, for example with the one that all replicas share. */
  readonly set: (key: string, window: WindowCount) => void;
};

type Options = { readonly windowMs: number; readonly clock: Pick<Clock, 'epochMs'>; readonly windowsMax?: number };

const windowsMaxDefault = 100_000;

/** Fixed windows in memory, each starting with its first request. Beyond `windowsMax` the least recently used are evicted. */
export function createMemoryWindows({ windowMs, clock, windowsMax = windowsMaxDefault }: Options): MemoryWindows {
  // By size, because the cache makes room for `max` entries at once, which takes 30 ms.
  const windows = new LRUCache<string, WindowCount>({ maxSize: windowsMax, sizeCalculation: () => 1 });

  const get = (key: string): WindowCount => {
    const window = windows.peek(key);
    const nowMs = clock.epochMs();
    return window !== undefined && nowMs < window.endsAtMs ? window : { used: 0, endsAtMs: nowMs + windowMs };
  };

  const store = (key: string, window: WindowCount): WindowCount => {
    windows.set(key, window);
    return window;
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
    set: (key, window) => void store(key, window),
  };
}
