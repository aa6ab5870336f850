import fc from 'fast-check';
import { add, formatMoney, money, subtract } from '@holdfast/kernel/money';
import { anActiveRun, anOrder, usd } from '../testing/an-order.js';
import { isFullSplit, isPaidAsPlanned, sharesOfPaid, sharesOfResolution, plannedShares } from './payout-shares.js';
import { percentText } from './percent.js';

const cents = fc.bigInt({ min: 1n, max: 5_000_000n }).map((each) => each * 100_000n);
const basisPoints = fc.bigInt({ min: 0n, max: 5_000n });

describe('the shares of a payout', () => {
  it('are the amount with its fee for the seller of a release, and the full amount for the buyer of a refund', () => {
    const order = anOrder({ amount: usd(99.99) });
    const shares = (saga: 'release' | 'refund') => plannedShares({ ...order, activeRun: anActiveRun({ saga }) });
    expect(shares('release')).toEqual({ decision: 'RELEASE', seller: usd(99.99), buyer: usd(0), fee: usd(4.99) });
    expect(shares('refund')).toEqual({ decision: 'REFUND', seller: usd(0), buyer: usd(99.99), fee: usd(0) });
    expect(plannedShares({ ...order, activeRun: anActiveRun({ saga: 'fund' }) })).toBeUndefined();
    expect(plannedShares(order)).toBeUndefined();
  });

  it('of a split add up to the order, with the fee taken from the part of the seller', () => {
    fc.assert(
      fc.property(cents, cents, basisPoints, (one, other, feeBasisPoints) => {
        const [release, refund] = [money(one, 'USD'), money(other, 'USD')];
        const order = anOrder({ amount: add(release, refund), feeBasisPoints });
        const { seller, buyer, fee } = sharesOfResolution(order, { decision: 'SPLIT', release, refund, note: null });
        expect(add(seller, buyer)).toEqual(order.amount);
        expect(fee.units <= seller.units / 2n).toBe(true);
        expect(isPaidAsPlanned({ decision: 'SPLIT', seller, buyer, fee }, { seller: subtract(seller, fee), buyer, fee })).toBe(
          true,
        );
      }),
    );
  });

  it.each([
    [60, 40, true],
    [0, 100, true],
    [100, 0, true],
    [60, 40.01, false],
    [59.99, 40, false],
  ])('%d and %d are a full split of 100.00: %s', (release, refund, isFull) => {
    expect(isFullSplit(anOrder(), usd(release), usd(refund))).toBe(isFull);
  });

  it.each([
    [95, 0, 5, 'RELEASE'],
    [0, 100, 0, 'REFUND'],
    [57, 40, 3, 'SPLIT'],
  ])('of a payment of %d, %d and a fee of %d are a %s', (seller, buyer, fee, decision) => {
    const shares = sharesOfPaid({ seller: usd(seller), buyer: usd(buyer), fee: usd(fee) });
    expect([shares.decision, formatMoney(add(shares.seller, shares.buyer))]).toEqual([decision, '100.00']);
  });
});

describe('a fee as text', () => {
  it.each([
    [0n, '0'],
    [7n, '0.07'],
    [250n, '2.5'],
    [500n, '5'],
    [5_000n, '50'],
  ])('%s basis points are %s per cent', (given, text) => {
    expect(percentText(given)).toBe(text);
  });
});
