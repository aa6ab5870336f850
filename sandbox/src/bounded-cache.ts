/** What was made for a key, else what is made now. */
export type BoundedCache<Value> = (key: string, make: () => Value) => Value;

/** Keeps what was made once. When it is full it begins anew, which is cheaper than knowing what was used last. */
export function boundedCache<Value>(keptMax: number): BoundedCache<Value> {
  const kept = new Map<string, Value>();
  return (key, make) => {
    const known = kept.get(key);
    if (known !== undefined) return known;
    if (kept.size >= keptMax) kept.clear();
    const made = make();
    kept.set(key, made);
    return made;
  };
}
