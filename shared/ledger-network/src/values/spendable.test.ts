import { reservedUnitsOf, spendableUnits } from './spendable.js';

describe('what an account can spend', () => {
  const balances = { XLM: 20_000_000n, USDC: 7n };

  it('is its balance, of XLM without the reserve', () => {
    const reservedUnits = reservedUnitsOf({ subentries: 1, sponsoring: 0, sponsored: 0 });
    expect(spendableUnits({ balances, reservedUnits }, 'XLM')).toBe(5_000_000n);
    expect(spendableUnits({ balances, reservedUnits }, 'USDC')).toBe(7n);
    expect(spendableUnits({ balances: {}, reservedUnits }, 'USDC')).toBe(0n);
  });

  it('is never below zero', () => {
    expect(spendableUnits({ balances, reservedUnits: 20_000_001n }, 'XLM')).toBe(0n);
  });

  it('does not include the reserves of entries that it sponsors, but those that others sponsor', () => {
    expect(reservedUnitsOf({ subentries: 1, sponsoring: 6, sponsored: 0 })).toBe(45_000_000n);
    expect(reservedUnitsOf({ subentries: 1, sponsoring: 0, sponsored: 3 })).toBe(0n);
    expect(reservedUnitsOf({ subentries: 1, sponsoring: 0, sponsored: 1 })).toBe(10_000_000n);
  });
});
