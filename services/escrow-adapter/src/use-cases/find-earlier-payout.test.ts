import { parseMoney } from '@holdfast/kernel/money';
import { silentLog } from '@holdfast/testing/log';
import { findEarlierPayout } from './find-earlier-payout.js';
import type { Deps } from './ports.js';

const request = { withdrawalId: 'wd_01HF7YAT00TESTTESTTESTTEST' } as const;
const payout = { amount: parseMoney('5.00', 'USDC'), to: 'GUSER', memoHash: 'ab'.repeat(32) };
const transfer = { from: 'GTREASURY', to: 'GUSER', asset: 'USDC', units: 50_000_000n } as const;
type Payments = Awaited<ReturnType<Deps['network']['paymentsWithMemo']>>;

function find(payments: Payments) {
  const network = { paymentsWithMemo: () => Promise.resolve(payments) };
  const wallets = { isOwnAddress: (address: string) => Promise.resolve(address === 'GTREASURY') };
  return findEarlierPayout({ network, wallets, log: silentLog } as unknown as Deps, request, payout);
}

describe('an earlier payout of a withdrawal', () => {
  it('is none where the network has no payment with its memo', async () => {
    expect(await find([])).toEqual({ status: 'none' });
  });

  it('is the payment with its memo, amount and receiver from an account of the platform', async () => {
    expect(await find([{ transactionHash: 'abc', transfers: [transfer] }])).toEqual({ status: 'paid', transactionHash: 'abc' });
  });

  it.each<[string, Payments]>([
    ['another amount', [{ transactionHash: 'abc', transfers: [{ ...transfer, units: 1n }] }]],
    ['another asset', [{ transactionHash: 'abc', transfers: [{ ...transfer, asset: 'XLM' }] }]],
    ['a payer that is not ours', [{ transactionHash: 'abc', transfers: [{ ...transfer, from: 'GUSER2' }] }]],
    ['two payments', ['abc', 'def'].map((transactionHash) => ({ transactionHash, transfers: [transfer] }))],
    ['a history that is too long', undefined],
  ])('is unclear for %s', async (_, payments) => {
    expect(await find(payments)).toEqual({ status: 'unclear' });
  });
});
