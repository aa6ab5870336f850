/** A map that forgets: of the keys that were set, it has at least the last `countMin`, and at most twice as many. */
export type RecentMap<Key, Value> = {
  readonly has: (key: Key) => boolean;
  readonly get: (key: Key) => Value | undefined;
  readonly set: (key: Key, value: Value) => void;
  readonly clear: () => void;
};

/**
 * In two halves, the older of which goes as a whole. To take out the oldest key one by one would be slow: whoever looks for the first key
 * of a map passes over all that were taken out before it.
 */
export function createRecentMap<Key, Value>(countMin: number): RecentMap<Key, Value> {
  let newer = new Map<Key, Value>();
  let older = new Map<Key, Value>();
  return {
    has: (key) => newer.has(key) || older.has(key),
    get: (key) => (newer.has(key) ? newer.get(key) : older.get(key)),
    set: (key, value) => {
      newer.set(key, value);
      if (newer.size < countMin) return;
      older = newer;
      newer = new Map();
    },
    clear: () => {
      newer.clear();
      older.clear();
    },
  };
}
