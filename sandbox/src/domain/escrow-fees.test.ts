import fc from 'fast-check';
import { payoutShares } from './escrow-fees.js';

const sum = (amounts: readonly bigint[]): bigint => amounts.reduce((total, each) => total + each, 0n);
const units = fc.bigInt({ min: 1n, max: 10n ** 17n });
const fee = fc.bigInt({ min: 0n, max: 9_900n });

describe('the fees of a payout', () => {
  it('of one part are the floors of 0.3 percent and of the platform fee', () => {
    expect(payoutShares([1_000_000_000n], 500n)).toEqual([
      { protocolUnits: 3_000_000n, platformUnits: 50_000_000n, netUnits: 947_000_000n },
    ]);
    expect(payoutShares([333n], 500n)).toEqual([{ protocolUnits: 0n, platformUnits: 16n, netUnits: 317n }]);
  });

  it('of several shares are taken from the total, and the recipients keep what the rounding leaves', () => {
    // The total of 1,000 costs 3 and 50; the shares of 1/3 and 2/3 are rounded down separately.
    expect(payoutShares([333n, 667n], 500n)).toEqual([
      { protocolUnits: 0n, platformUnits: 16n, netUnits: 317n },
      { protocolUnits: 2n, platformUnits: 33n, netUnits: 632n },
    ]);
    // The total of 667 costs 2, and the second part's share is less than 1.
    expect(payoutShares([334n, 333n], 30n).map(({ protocolUnits }) => protocolUnits)).toEqual([1n, 0n]);
  });

  it('and the net amounts add up to each part exactly, and never exceed the fees of the total', () => {
    fc.assert(
      fc.property(fc.array(units, { minLength: 1, maxLength: 50 }), fee, (shares, basisPoints) => {
        const paid = payoutShares(shares, basisPoints);
        const total = sum(shares);
        paid.forEach(({ protocolUnits, platformUnits, netUnits }, index) => {
          expect(protocolUnits + platformUnits + netUnits).toBe(shares[index]);
          expect(netUnits >= 0n).toBe(true);
        });
        const [protocol, platform] = [sum(paid.map((part) => part.protocolUnits)), sum(paid.map((part) => part.platformUnits))];
        const [protocolFee, platformFee] = [(total * 30n) / 10_000n, (total * basisPoints) / 10_000n];
        const dustMax = BigInt(shares.length - 1);
        expect(protocol <= protocolFee && protocolFee - protocol <= dustMax).toBe(true);
        expect(platform <= platformFee && platformFee - platform <= dustMax).toBe(true);
      }),
    );
  });
});
