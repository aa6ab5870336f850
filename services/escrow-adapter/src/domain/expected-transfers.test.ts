import fc from 'fast-check';
import { money } from '@holdfast/kernel/money';
import type { ContractType } from './contract.js';
import { expectedTransfers, type TransferTerms } from './expected-transfers.js';
import { type LedgerTransfer, transferMismatch } from '@holdfast/ledger-network/values';
import type { Distribution, Step } from './steps.js';

const whole = 10_000_000n;
const addresses = { buyer: 'the buyer', seller: 'the seller', platform: 'the platform' };

function termsOf(type: ContractType, amount = 100n * whole, platformFeeBasisPoints = 500): TransferTerms {
  const milestones = [
    { ref: 'a', title: 'A', units: amount - amount / 3n },
    { ref: 'b', title: 'B', units: amount / 3n },
  ];
  const contract = {
    type,
    amount: money(amount, 'USDC'),
    platformFeeBasisPoints,
    milestones,
    addresses,
    contractId: 'the contract',
  };
  return { contract, token: 'USDC', feeAddress: 'the provider', signer: 'a channel' };
}

const payout = (to: string, units: bigint): LedgerTransfer => ({ token: 'USDC', from: 'the contract', to, units });
const sumTo = (to: string, transfers: readonly LedgerTransfer[]): bigint =>
  transfers.filter((transfer) => transfer.to === to).reduce((sum, { units }) => sum + units, 0n);

describe('the transfers of', () => {
  it('a funding are one, from the signer to the contract', () => {
    expect(expectedTransfers(termsOf('single-release'), { does: 'fund', units: 7n })).toEqual([
      { token: 'USDC', from: 'a channel', to: 'the contract', units: 7n },
    ]);
  });

  it('a release are both fees, rounded down, and the rest', () => {
    expect(expectedTransfers(termsOf('single-release', 100n * whole), { does: 'release' })).toEqual([
      payout('the provider', 3_000_000n),
      payout('the platform', 50_000_000n),
      payout('the seller', 947_000_000n),
    ]);
    expect(expectedTransfers(termsOf('multi-release', 3n), { does: 'release', index: 1 })).toEqual([payout('the seller', 1n)]);
  });

  it('a refund of 100 with a fee of 5 % leave 94.70 to the buyer', () => {
    const refund: Step = { does: 'resolve', distributions: [{ to: 'buyer', units: 100n * whole }] };
    expect(expectedTransfers(termsOf('single-release'), refund)).toEqual([
      payout('the provider', 3_000_000n),
      payout('the platform', 50_000_000n),
      payout('the buyer', 947_000_000n),
    ]);
  });

  it('a resolution round each share of each fee down, so that the recipients keep the rest', () => {
    // Of 1001 units the fees are 3 and 50. Shares: 333 * 3 / 1001 = 0, 333 * 50 / 1001 = 16; 668 * 3 / 1001 = 2, 668 * 50 / 1001 = 33.
    const split: Step = {
      does: 'resolve',
      distributions: [
        { to: 'seller', units: 333n },
        { to: 'buyer', units: 668n },
      ],
    };
    expect(expectedTransfers(termsOf('single-release', 1_001n), split)).toEqual([
      payout('the platform', 16n),
      payout('the seller', 317n),
      payout('the provider', 2n),
      payout('the platform', 33n),
      payout('the buyer', 633n),
    ]);
  });

  it('all other steps are none', () => {
    const steps: readonly Step[] = [{ does: 'complete', index: 0 }, { does: 'approve', index: 0 }, { does: 'dispute' }];
    for (const step of steps) expect(expectedTransfers(termsOf('single-release'), step)).toEqual([]);
  });

  it('a release of a milestone that does not exist cannot be known', () => {
    expect(() => expectedTransfers(termsOf('multi-release'), { does: 'release', index: 2 })).toThrow(RangeError);
    expect(() => expectedTransfers(termsOf('multi-release'), { does: 'release' })).toThrow(RangeError);
  });

  it('payouts add up to what is paid out, and each party loses at most the fees', () => {
    const units = fc.bigInt({ min: 1n, max: 10n ** 16n });
    const fee = fc.integer({ min: 0, max: 9_900 });
    const parties = fc.subarray(['seller', 'buyer', 'platform'] as const, { minLength: 1 });
    fc.assert(
      fc.property(fc.tuple(units, units, units), parties, fee, (amounts, to, bps) => {
        const distributions = to.map((party, index): Distribution => ({ to: party, units: amounts[index] ?? 1n }));
        const total = distributions.reduce((sum, part) => sum + part.units, 0n);
        const moved = expectedTransfers(termsOf('single-release', total, bps), { does: 'resolve', distributions });
        expect(moved.reduce((sum, transfer) => sum + transfer.units, 0n)).toBe(total);
        expect(moved.every((transfer) => transfer.units > 0n)).toBe(true);
        expect(sumTo('the provider', moved)).toBeLessThanOrEqual((total * 30n) / 10_000n);
        const released = expectedTransfers(termsOf('single-release', total, bps), { does: 'release' });
        expect(released.reduce((sum, transfer) => sum + transfer.units, 0n)).toBe(total);
      }),
    );
  });
});

describe('a landed transaction', () => {
  const expected = [payout('the provider', 3n), payout('the seller', 97n)];

  it.each<readonly [string, readonly LedgerTransfer[]]>([
    ['in another order', expected.toReversed()],
    ['in several parts', [payout('the seller', 90n), payout('the provider', 3n), payout('the seller', 7n)]],
    ['with a transfer of nothing', [...expected, payout('the buyer', 0n)]],
  ])('moves what it must %s', (_, found) => {
    expect(transferMismatch(expected, found)).toBeUndefined();
  });

  it.each<readonly [string, readonly LedgerTransfer[]]>([
    ['nothing', []],
    ['less', [payout('the provider', 3n), payout('the seller', 96n)]],
    ['more', [payout('the provider', 3n), payout('the seller', 98n)]],
    ['to a stranger', [payout('the provider', 3n), payout('a stranger', 97n)]],
    ['from a stranger', [payout('the provider', 3n), { ...payout('the seller', 97n), from: 'a stranger' }]],
    ['another token', [payout('the provider', 3n), { ...payout('the seller', 97n), token: 'XLM' }]],
    ['something else besides', [...expected, { token: 'XLM', from: 'the buyer', to: 'a stranger', units: 1n }]],
  ])('that moves %s is a mismatch', (_, found) => {
    expect(transferMismatch(expected, found)).toMatch(/units were moved of/);
  });

  it('names the amounts and the way', () => {
    expect(transferMismatch(expected, [payout('the seller', 97n)])).toBe(
      '0 units were moved of USDC from the contract to the provider instead of 3',
    );
  });
});
