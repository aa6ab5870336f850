import { manualClock } from '@holdfast/testing/clock';
import { createMemoryWindows } from './memory-windows.js';

describe('windows in memory', () => {
  it('increment, decrement and get', () => {
    const windows = createMemoryWindows({ windowMs: 1_000, clock: manualClock() });
    windows.increment('a');
    expect(windows.increment('a').used).toBe(2);
    windows.decrement('a');
    expect(windows.get('a').used).toBe(1);
    expect(windows.get('b').used).toBe(0);
  });

  it('evict the least recently used window beyond their maximum', () => {
    const windows = createMemoryWindows({ windowMs: 1_000, clock: manualClock(), windowsMax: 3 });
    for (const key of ['a', 'b', 'c', 'd', 'e']) windows.increment(key);
    expect(['a', 'b', 'e'].map((key) => windows.get(key).used)).toEqual([0, 0, 1]);
  });
});
