import * as horizon from '../testing/index.js';
import type { HistoryEntry } from './ledger-history.js';
import { parseRecord } from './parse-operation.js';
import type { LedgerOperation } from '../values/index.js';

const { aRecord, aPaymentRecord, contract, stranger, usdc, wallet, xlm } = horizon;
const other = { asset_type: 'credit_alphanum4', asset_code: 'USDC', asset_issuer: stranger };

const parse = (record: unknown): HistoryEntry => parseRecord(record, horizon.usdcIssuer);

function operationOf(record: unknown): LedgerOperation {
  const entry = parse(record);
  if (!('operation' in entry)) throw new Error(entry.rejected.reason);
  return entry.operation;
}

function reasonOf(record: unknown): string {
  const entry = parse(record);
  return 'rejected' in entry ? entry.rejected.reason : 'none';
}

const change = (fields: Readonly<Record<string, unknown>>) =>
  aRecord('invoke_host_function', { asset_balance_changes: [{ ...usdc, amount: '2.5000000', ...fields }] });

describe('a record of the history', () => {
  it('has position, transaction, time and fee', () => {
    expect(parse(aPaymentRecord())).toEqual({
      position: '12884905985',
      transactionHash: horizon.outerHash,
      operation: {
        id: '12884905985',
        type: 'payment',
        transactionHash: horizon.outerHash,
        isSuccessful: true,
        at: '2026-01-31T12:00:05.000000Z',
        transfers: [{ from: stranger, to: wallet, asset: 'USDC', units: 50_000_001n }],
        fee: { address: stranger, units: 100n },
      },
    });
  });

  it('inside a fee bump has the hash of the inner transaction and the fee of the outer one', () => {
    const transaction = {
      hash: horizon.outerHash,
      fee_account: wallet,
      fee_charged: '300',
      inner_transaction: { hash: horizon.innerHash, signatures: [], max_fee: '100' },
      fee_bump_transaction: { hash: horizon.outerHash, signatures: [] },
    };
    expect(operationOf(aPaymentRecord({ transaction }))).toMatchObject({
      transactionHash: horizon.innerHash,
      fee: { address: wallet, units: 300n },
    });
  });

  it.each<readonly [string, Readonly<Record<string, unknown>>, readonly unknown[]]>([
    ['a payment of XLM', aPaymentRecord(xlmOnly()), [{ from: stranger, to: wallet, asset: 'XLM', units: 50_000_001n }]],
    ['a payment of another asset', aPaymentRecord(other), []],
    ...(['path_payment_strict_send', 'path_payment_strict_receive'] as const).map(
      (type) =>
        [
          `a ${type}: what was paid and what arrived`,
          aRecord(type, {
            ...usdc,
            from: stranger,
            to: wallet,
            amount: '1.0000000',
            source_amount: '9.0000000',
            source_asset_type: 'native',
            path: [],
          }),
          [
            { from: stranger, to: '', asset: 'XLM', units: 90_000_000n },
            { from: '', to: wallet, asset: 'USDC', units: 10_000_000n },
          ],
        ] as const,
    ),
    [
      'a payment to a muxed address',
      aPaymentRecord({ to_muxed: horizon.muxedWallet, to_muxed_id: '77' }),
      [{ from: stranger, to: wallet, asset: 'USDC', units: 50_000_001n }],
    ],
    [
      'a created account',
      aRecord('create_account', { starting_balance: '3.0000000', funder: stranger, account: wallet }),
      [{ from: stranger, to: wallet, asset: 'XLM', units: 30_000_000n }],
    ],
    [
      'a transfer by a contract',
      change({ type: 'transfer', from: contract, to: wallet }),
      [{ from: contract, to: wallet, asset: 'USDC', units: 25_000_000n }],
    ],
    [
      'a transfer to a muxed address by a contract',
      change({ type: 'transfer', from: contract, to: horizon.muxedWallet, destination_muxed_id: '77' }),
      [{ from: contract, to: wallet, asset: 'USDC', units: 25_000_000n }],
    ],
    ['minted tokens', change({ type: 'mint', to: wallet }), [{ from: '', to: wallet, asset: 'USDC', units: 25_000_000n }]],
    ['burned tokens', change({ type: 'burn', from: contract }), [{ from: contract, to: '', asset: 'USDC', units: 25_000_000n }]],
    [
      'a clawback from a contract',
      change({ type: 'clawback', from: contract }),
      [{ from: contract, to: '', asset: 'USDC', units: 25_000_000n }],
    ],
    [
      'a clawback from an account',
      aRecord('clawback', { ...usdc, from: wallet, amount: '1.0000000' }),
      [{ from: wallet, to: '', asset: 'USDC', units: 10_000_000n }],
    ],
    ['a call that moved nothing', aRecord('invoke_host_function', { asset_balance_changes: null }), []],
    ['a call without metadata', aRecord('invoke_host_function', {}), []],
    ['a trustline', aRecord('change_trust', { ...usdc, trustor: wallet, limit: '1.0000000' }), []],
    ['a failed payment', aPaymentRecord({ transaction_successful: false }), []],
    ['a failed operation of an unknown type', aRecord('future_payment', { transaction_successful: false }), []],
  ])('of %s has its transfers', (_what, record, transfers) => {
    expect(operationOf(record).transfers).toEqual(transfers);
  });

  it('of a merge has the accounts, but no amount', () => {
    const { merge, transfers } = operationOf(aRecord('account_merge', { account: stranger, into: wallet }));
    expect([merge, transfers]).toEqual([{ from: stranger, into: wallet }, []]);
  });

  it.each([
    ['native', 'XLM'],
    [`USDC:${horizon.usdcIssuer}`, 'USDC'],
    [`USDC:${stranger}`, undefined],
  ])('of a claimable balance of %s has its claimants', (asset, expected) => {
    const claimants = [stranger, wallet].map((destination) => ({ destination, predicate: { unconditional: true } }));
    const { claimable, transfers } = operationOf(aRecord('create_claimable_balance', { asset, amount: '4.0000000', claimants }));
    expect(transfers).toEqual([]);
    expect(claimable).toEqual(
      expected === undefined ? undefined : { from: stranger, claimants: [stranger, wallet], asset: expected, units: 40_000_000n },
    );
  });
});

describe('a record that is not understood', () => {
  it.each<readonly [string, unknown, string]>([
    ['of an unknown type', aRecord('future_payment', { to: wallet }), 'unknown operation type "future_payment"'],
    ['of an inherited name', aRecord('constructor', { to: wallet }), 'unknown operation type "constructor"'],
    ['of an offer', aRecord('manage_sell_offer', {}), 'the record of manage_sell_offer does not say what was moved'],
    ['without an amount', aPaymentRecord({ amount: undefined }), 'malformed: amount: '],
    ['with an amount in exponents', aPaymentRecord({ amount: '1e3' }), 'malformed: amount: '],
    ['with a number as amount', aPaymentRecord({ amount: 5 }), 'malformed: amount: '],
    ['with a receiver that is not an address', aPaymentRecord({ to: 'wal\u0000let' }), 'malformed: to: '],
    ['with a broken muxed receiver', aPaymentRecord({ to: `M${'A'.repeat(68)}` }), 'malformed: to: '],
    ['with an unknown change', change({ type: 'freeze', from: wallet }), 'malformed: asset_balance_changes.0.type: '],
    ['with a transfer without a receiver', change({ type: 'transfer', from: wallet }), 'malformed: asset_balance_changes.0.to: '],
    ['with another hash', aPaymentRecord({ transaction_hash: 'no hash' }), 'malformed: transaction_hash: '],
    ['without its transaction', aPaymentRecord({ transaction: undefined }), 'malformed: transaction: '],
    ['without a time', aPaymentRecord({ created_at: 'yesterday' }), 'malformed: created_at: '],
    ['with two positions', aPaymentRecord({ paging_token: '7' }), 'malformed: paging_token: '],
    ['that is null', null, 'malformed: : '],
    ['that is a text', 'payment', 'malformed: : '],
  ])('%s says why', (_what, record, reason) => {
    expect(reasonOf(record)).toMatch(reason);
  });

  it('keeps its position and transaction where they can be read', () => {
    expect(parse(aPaymentRecord({ type: 7 }))).toMatchObject({ position: '12884905985', transactionHash: horizon.outerHash });
    expect(parse(aPaymentRecord({ paging_token: '7' }))).toMatchObject({ position: undefined });
    expect(parse(null)).toMatchObject({ position: undefined, transactionHash: undefined });
  });
});

function xlmOnly() {
  return { ...xlm, asset_code: undefined, asset_issuer: undefined };
}

describe('a record that is rejected', () => {
  it('has its source and every address in it, and without a position the id of its content', () => {
    const { stranger, wallet, muxedWallet, usdcIssuer } = horizon;
    const rejected = { id: expect.stringMatching(/^[0-9a-f]{64}$/), source: stranger, names: [stranger, wallet] };
    expect(parseRecord({ source_account: stranger, to: muxedWallet }, usdcIssuer)).toMatchObject({
      position: undefined,
      rejected,
    });
  });

  it('has its position as id', () => {
    const record = horizon.aRecord('unheard_of', {});
    expect(parseRecord(record, horizon.usdcIssuer)).toMatchObject({ rejected: { id: '12884905985', source: horizon.stranger } });
  });
});
