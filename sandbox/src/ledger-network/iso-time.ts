import { LRUCache } from 'lru-cache';

const secondsMax = 1_000;
/** The same seconds are formatted many times. */
const seconds = new LRUCache<number, string>({
  max: secondsMax,
  memoMethod: (second) => `${new Date(second * 1_000).toISOString().slice(0, 19)}Z`,
});

/** ISO 8601 without milliseconds, as in Horizon's API. */
export function isoTime(epochMs: number): string {
  return seconds.memo(Math.floor(epochMs / 1_000));
}
