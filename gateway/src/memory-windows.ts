import type { Clock } from '@holdfast/shared/context';
import { LRUCache } from 'lru-cache';

/** How much of a window is used, this request included, and when it ends. */
export type Taken = { readonly used: number; readonly endsAtMs: number };

export type MemoryWindows = {
  readonly take: (key: string) => Taken;
  readonly giveBack: (key: string) => void;
  /** What is used so far, counting nothing. */
  readonly look: (key: string) => Taken;
  /** What another count of the same window has come to. */
  readonly note: (key: string, taken: Taken) => void;
};

type Options = { readonly windowMs: number; readonly clock: Pick<Clock, 'epochMs'>; readonly windowsMax?: number };

const windowsMaxDefault = 100_000;

/** Windows of a fixed length, each beginning with its first request. Bounded: those that were used least recently make room. */
export function createMemoryWindows({ windowMs, clock, windowsMax = windowsMaxDefault }: Options): MemoryWindows {
  const windows = new LRUCache<string, Taken>({ max: windowsMax });

  const look = (key: string): Taken => {
    const window = windows.peek(key);
    const nowMs = clock.epochMs();
    return window !== undefined && nowMs < window.endsAtMs ? window : { used: 0, endsAtMs: nowMs + windowMs };
  };

  const put = (key: string, taken: Taken): Taken => {
    windows.set(key, taken);
    return taken;
  };

  return {
    look,
    take: (key) => {
      const { used, endsAtMs } = look(key);
      return put(key, { used: used + 1, endsAtMs });
    },
    giveBack: (key) => {
      const { used, endsAtMs } = look(key);
      if (used > 0) put(key, { used: used - 1, endsAtMs });
    },
    note: (key, taken) => void put(key, taken),
  };
}
