import fc from 'fast-check';
import { toInstant } from '../context/index.js';
import { createdAtMsOf, idFactory, idFromParts, isId, isOpaqueId } from './index.js';

describe('new ids', () => {
  it('have their prefix and 26 Crockford characters', () => {
    expect(idFactory(() => 1_700_000_000_000)('ord')).toMatch(/^ord_[0-9A-HJKMNP-TV-Z]{26}$/);
  });

  it('increase strictly, even if the clock goes back', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 2 ** 47 }), { minLength: 2, maxLength: 200 }), (clock) => {
        const newId = idFactory(() => clock.shift() ?? 0);
        const ids = Array.from({ length: 200 }, () => newId('tr'));
        expect([...ids].sort()).toEqual(ids);
        expect(new Set(ids).size).toBe(ids.length);
      }),
    );
  });

  it('begin with their creation time', () => {
    const [first, second] = [1_700_000_000_000, 1_700_000_000_000].map((ms) => idFactory(() => ms)('usr').slice(4, 14));
    expect(first).toBe(second);
  });
});

describe('ids from parts', () => {
  const at = '2026-01-31T12:00:00.123456Z';

  it('are equal for equal parts only, however the parts are split', () => {
    expect(idFromParts('evt', at, ['run_1', 'hold'])).toBe(idFromParts('evt', at, ['run_1', 'hold']));
    expect(idFromParts('evt', at, ['a', 'bc'])).not.toBe(idFromParts('evt', at, ['ab', 'c']));
  });

  it('begin with the given time, so that they sort by it', () => {
    const timeOf = (id: string) => id.slice(4, 14);
    expect(timeOf(idFromParts('evt', at, ['a']))).toBe(timeOf(idFactory(() => Date.parse(at))('evt')));
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 2 ** 42 }), { minLength: 2 }), fc.string(), (times, part) => {
        const ids = [...new Set(times)].sort((a, b) => a - b).map((ms) => idFromParts('evt', toInstant(ms), [part, String(ms)]));
        expect([...ids].sort()).toEqual(ids);
      }),
    );
  });
});

describe('the time in an id', () => {
  it('is the time of its creation', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 2 ** 48 - 1 }), (ms) => {
        expect(createdAtMsOf(idFactory(() => ms)('wd'))).toBe(ms);
      }),
    );
  });

  it.each(['wd_1', `wd_${'u'.repeat(26)}`] as const)('is 0 for %s', (id) => {
    expect(createdAtMsOf(id)).toBe(0);
  });
});

describe('isId and isOpaqueId', () => {
  it.each(['ord_1', `ord_${'A'.repeat(64)}`])('accept %s', (text) => {
    expect(isId(text, 'ord')).toBe(true);
  });

  it.each(['ord_', 'ord', 'usr_1', 'ord_a-b', `ord_${'A'.repeat(65)}`, 'ord_1\n', 'ORD_1', 'ord_é'])('refuse %j', (text) => {
    expect(isId(text, 'ord')).toBe(false);
  });

  it('isOpaqueId accepts any prefix', () => {
    expect(isOpaqueId('anything_1')).toBe(true);
    expect(isOpaqueId('_1')).toBe(false);
  });
});
