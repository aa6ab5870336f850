import type { Clock } from '@holdfast/shared/context';

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
/** Ended windows that one request clears away; more than it adds, so that they never pile up. */
const clearedPerTake = 2;

/** Windows of a fixed length, each beginning with its first request. Bounded: the oldest make room. */
export function createMemoryWindows({ windowMs, clock, windowsMax = windowsMaxDefault }: Options): MemoryWindows {
  /** In the order in which they began, and therefore end. */
  const windows = new Map<string, Taken>();

  const current = (key: string): Taken | undefined => {
    const window = windows.get(key);
    return window !== undefined && clock.epochMs() < window.endsAtMs ? window : undefined;
  };

  const clear = (): void => {
    let left = clearedPerTake;
    for (const [key, { endsAtMs }] of windows) {
      if (left === 0 || (endsAtMs > clock.epochMs() && windows.size < windowsMax)) return;
      windows.delete(key);
      left -= 1;
    }
  };

  const begin = (key: string, taken: Taken): Taken => {
    windows.delete(key);
    clear();
    windows.set(key, taken);
    return taken;
  };

  const put = (key: string, taken: Taken): Taken => {
    windows.set(key, taken);
    return taken;
  };

  const look = (key: string): Taken => current(key) ?? { used: 0, endsAtMs: clock.epochMs() + windowMs };

  return {
    look,
    take: (key) => {
      const window = current(key);
      if (window === undefined) return begin(key, { used: 1, endsAtMs: clock.epochMs() + windowMs });
      return put(key, { ...window, used: window.used + 1 });
    },
    giveBack: (key) => {
      const window = current(key);
      if (window !== undefined && window.used > 0) put(key, { ...window, used: window.used - 1 });
    },
    note: (key, taken) => {
      if (current(key) === undefined) begin(key, taken);
      else put(key, taken);
    },
  };
}
