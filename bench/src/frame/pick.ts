const spread = 2 ** 32;

/** Picks uniformly, and the same in every run, so that two runs do the same work. This is mulberry32, a small and even one. */
export function uniformPicker<T>(items: readonly T[], seed: number): () => T {
  const [first] = items;
  if (first === undefined) throw new Error('there is nothing to pick from');
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    const share = ((mixed ^ (mixed >>> 14)) >>> 0) / spread;
    return items[Math.floor(share * items.length)] ?? first;
  };
}
