import fc from 'fast-check';
import { createRecentMap } from './recent-map.js';

describe('a map of what was set last', () => {
  it('has the last keys, each with its last value, and never more than twice as many', () => {
    const entry = fc.tuple(fc.integer({ min: 0, max: 30 }), fc.integer());
    fc.assert(
      fc.property(fc.array(entry), fc.integer({ min: 1, max: 8 }), (entries, countMin) => {
        const map = createRecentMap<number, number>(countMin);
        for (const [key, value] of entries) map.set(key, value);

        const last = new Map(entries);
        const newestFirst = [...new Set(entries.map(([key]) => key).reverse())];
        for (const key of newestFirst.slice(0, countMin)) expect(map.get(key)).toBe(last.get(key));
        const kept = [...last.keys()].filter((key) => map.has(key));
        expect(kept.length).toBeLessThanOrEqual(2 * countMin);
        for (const key of kept) expect(map.get(key)).toBe(last.get(key));
      }),
    );
  });

  it('tells a value that is undefined from a key that it does not have', () => {
    const map = createRecentMap<string, string | undefined>(1);
    map.set('here', undefined);
    expect([map.has('here'), map.has('elsewhere')]).toEqual([true, false]);
  });

  it('has nothing once it was cleared', () => {
    const map = createRecentMap<number, number>(2);
    [1, 2, 3].forEach((key) => map.set(key, key));
    map.clear();
    expect([1, 2, 3].filter((key) => map.has(key))).toEqual([]);
  });
});
