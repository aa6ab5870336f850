import fc from 'fast-check';
import { idFactory, idFromParts, isId, isOpaqueId } from './index.js';

describe('new ids', () => {
  it('have their prefix and 26 Crockford characters', () => {
    expect(idFactory(() => 1_700_000_000_000)('ord')).toMatch(/^ord_[0-9A-HJKMNP-TV-Z]{26}$/);
  });

  it('increase strictly whatever the clock does', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 2 ** 47 }), { minLength: 2, maxLength: 200 }), (clock) => {
        const newId = idFactory(() => clock.shift() ?? 0);
        const made = Array.from({ length: 200 }, () => newId('tr'));
        expect([...made].sort()).toEqual(made);
        expect(new Set(made).size).toBe(made.length);
      }),
    );
  });

  it('begin with the time they were made', () => {
    const [first, second] = [1_700_000_000_000, 1_700_000_000_000].map((ms) => idFactory(() => ms)('usr').slice(4, 14));
    expect(first).toBe(second);
  });
});

describe('ids from parts', () => {
  it('follow from the parts alone, and not from how they are joined', () => {
    expect(idFromParts('evt', 'run_1', 'hold')).toBe(idFromParts('evt', 'run_1', 'hold'));
    expect(idFromParts('evt', 'a', 'bc')).not.toBe(idFromParts('evt', 'ab', 'c'));
  });
});

describe('the shape of an id', () => {
  it.each(['ord_1', `ord_${'A'.repeat(64)}`])('takes %s', (text) => {
    expect(isId(text, 'ord')).toBe(true);
  });

  it.each(['ord_', 'ord', 'usr_1', 'ord_a-b', `ord_${'A'.repeat(65)}`, 'ord_1\n', 'ORD_1', 'ord_é'])('refuses %j', (text) => {
    expect(isId(text, 'ord')).toBe(false);
  });

  it('takes any prefix where any is meant', () => {
    expect(isOpaqueId('anything_1')).toBe(true);
    expect(isOpaqueId('_1')).toBe(false);
  });
});
