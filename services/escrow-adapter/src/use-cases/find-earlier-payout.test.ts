import { parseMoney } from '@holdfast/kernel/money';
import { silentLog } from '@holdfast/testing/log';
import { findEarlierPayout } from './find-earlier-payout.js';
import type { Deps } from './ports.js';
import type { Transfer } from '@holdfast/ledger-network/values';

const request = { withdrawalId: 'wd_01HF7YAT00TESTTESTTESTTEST', userId: 'usr_01HF7YAT00TESTTESTTESTTEST' } as const;
const payout = { amount: parseMoney('5.00', 'USDC'), to: 'GUSER', memoHash: 'ab'.repeat(32) };
const transfer = { from: 'GCHANNEL', to: 'GUSER', asset: 'USDC', units: 50_000_000n } as const;

function find(hashes: readonly string[] | undefined, transfers: readonly Transfer[] = [transfer]) {
  const network = { findPayments: () => Promise.resolve(hashes), transfers: () => Promise.resolve(transfers) };
  const wallets = { payersOf: () => Promise.resolve(['GCHANNEL', 'GWALLET']) };
  return findEarlierPayout({ network, wallets, log: silentLog } as unknown as Deps, request, payout);
}

describe('an earlier payout of a withdrawal', () => {
  it('is none where the payers have made no payment with its memo', async () => {
    expect(await find([])).toEqual({ status: 'none' });
  });

  it('is sought on where the history of the payers is long', async () => {
    expect(await find(undefined)).toEqual({ status: 'searching' });
  });

  it('is the payment with its memo, amount and receiver from a payer of the platform', async () => {
    expect(await find(['abc'])).toEqual({ status: 'paid', transactionHash: 'abc' });
  });

  it.each<[string, readonly string[], readonly Transfer[]]>([
    ['another amount', ['abc'], [{ ...transfer, units: 1n }]],
    ['another asset', ['abc'], [{ ...transfer, asset: 'XLM' }]],
    ['a payer that is not ours', ['abc'], [{ ...transfer, from: 'GUSER2' }]],
    ['another receiver', ['abc'], [{ ...transfer, to: 'GUSER2' }]],
    ['two payments in one transaction', ['abc'], [transfer, transfer]],
    ['two transactions', ['abc', 'def'], [transfer]],
  ])('is unclear for %s', async (_, hashes, transfers) => {
    expect(await find(hashes, transfers)).toEqual({ status: 'unclear' });
  });
});
