import { backingOf, solvencyOf, unexplainedBy, type BookTerm, type Observed } from './solvency.js';

const nothing: Observed = { networkUnits: 0n, providerUnits: 0n, acceptedUnits: 0n, waitingUnits: 0n, leavingUnits: 0n };

const usd = (term: string, units: bigint): BookTerm => ({ term, currency: 'USD', units });
const usdc = (term: string, units: bigint): BookTerm => ({ term, currency: 'USDC', units });

/** 1,000 put in on the network, 500 at the provider; a top-up of 300 with a fee of 2; a released order of 100 with fees of 5 and 1. */
const terms: readonly BookTerm[] = [
  usdc('chain:capital', -1_000n),
  usdc('chain:provider_fees', 1n),
  usd('platform:capital', 500n),
  usd('external:provider_account', -498n),
  usd('platform:provider_costs', -2n),
  usd('external:payins', -300n),
  usd('available', 250n),
  usd('reserved', 45n),
  usd('platform:fees', 5n),
];

describe('solvency', () => {
  it('is what the platform itself has put in and earned, when all is right', () => {
    expect(solvencyOf('USDC', terms, nothing)).toEqual({
      liabilitiesUnits: 295n,
      assetsUnits: 1_797n,
      solvencyUnits: 1_502n,
      ownMoneyUnits: 1_502n,
      unexplainedUnits: 0n,
    });
  });

  it.each([
    ['tokens that left', [...terms, usdc('chain:world', 10n)], nothing, -10n],
    ['tokens that the network does not show', terms, { ...nothing, networkUnits: -7n }, -7n],
    ['money that is missing at the provider', terms, { ...nothing, providerUnits: -3n }, -3n],
    ['a balance that nothing backs', [...terms, usd('available', 4n)], nothing, -4n],
    ['a deposit that was credited to no user', [...terms, usdc('chain:world', -6n)], nothing, 6n],
  ])('names %s', (_, changed, observed, units) => {
    expect(solvencyOf('USDC', changed, observed).unexplainedUnits).toBe(units);
  });

  it.each([
    ['a deposit', [...terms, usdc('chain:world', -6n), usdc('external:deposits', -6n), usdc('available', 6n)], nothing],
    ['a withdrawal', [...terms, usdc('chain:world', 9n), usd('external:ledger_payouts', 9n), usd('available', -9n)], nothing],
    ['a credit by hand', [...terms, usd('external:manual', -8n), usd('available', 8n)], nothing],
    ['money of a case', [...terms, usd('external:payins', -8n), usd('platform:suspense', 8n)], nothing],
    ['what was written off', [...terms, usd('external:payins', -8n), usd('external:adjustments', 8n)], nothing],
    ['an accepted loss', [...terms, usdc('chain:world', 10n)], { ...nothing, acceptedUnits: -10n }],
    ['small deposits', [...terms, usdc('chain:world', -1n)], { ...nothing, waitingUnits: 1n }],
  ])('is explained by %s', (_, changed, observed) => {
    expect(solvencyOf('USDC', changed, observed).unexplainedUnits).toBe(0n);
  });

  it('is explained to the last unit while a contract is partly paid', () => {
    // An order of 100.00: its first milestone of 10.01 is released, its second of 3.33 refunded, the rest is in the contract.
    const [order, released, refunded] = [1_000_000_000n, 100_100_000n, 33_300_000n];
    // The books round the fee of 0.5005 down to the cent; the contract has taken 0.3 % of both payouts for the provider.
    const fee = 5_000_000n;
    const provider = (released * 30n) / 10_000n + (refunded * 30n) / 10_000n;
    const partlyPaid = [
      usd('external:payins', -order),
      usd('escrow', order - released - refunded),
      usd('available', released - fee + refunded),
      usd('platform:fees', fee),
      usdc('chain:provider_fees', provider),
    ];
    const before = solvencyOf('USDC', terms, nothing);
    const after = solvencyOf('USDC', [...terms, ...partlyPaid], nothing);
    expect(after.unexplainedUnits).toBe(0n);
    expect(after.ownMoneyUnits - before.ownMoneyUnits).toBe(fee - provider);
  });

  it('leaves out on both sides what leaves at the moment', () => {
    const { solvencyUnits, ...leaving } = solvencyOf('USDC', terms, { ...nothing, leavingUnits: 45n });
    expect(leaving).toMatchObject({ liabilitiesUnits: 250n, assetsUnits: 1_752n, unexplainedUnits: 0n });
    expect(solvencyUnits).toBe(1_502n);
  });

  it('has nothing to do with the other asset', () => {
    expect(solvencyOf('XLM', terms, nothing)).toMatchObject({ liabilitiesUnits: 0n, assetsUnits: 0n, ownMoneyUnits: 0n });
    expect([backingOf('USD'), backingOf('USDC'), backingOf('XLM')]).toEqual(['USDC', 'USDC', 'XLM']);
  });

  it('a difference is not unexplained while as much arrives or leaves', () => {
    const moving = { arrivingUnits: 5n, leavingUnits: 3n };
    expect([6n, 5n, 0n, -3n, -4n].map((units) => unexplainedBy(units, moving))).toEqual([6n, 0n, 0n, 0n, -4n]);
  });
});
