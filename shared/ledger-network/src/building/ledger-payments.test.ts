import { Account, Asset, Keypair, Memo, Operation, TransactionBuilder, type xdr } from '@stellar/stellar-sdk';
import { manualClock } from '@holdfast/testing/clock';
import { verifyEnvelope } from '../expectations/index.js';
import { ownTransactionsValidMs } from './treasury-operations.js';
import { ledgerPayments } from './ledger-payments.js';
import { ProviderRefused, type Payment } from '../values/index.js';
import type { LedgerAccount } from '../horizon/index.js';

const networkPassphrase = 'a network of the tests';
const [payer, to, usdcIssuer, other] = Array.from({ length: 4 }, () => Keypair.random().publicKey()) as [
  string,
  string,
  string,
  string,
];
const usdc = new Asset('USDC', usdcIssuer);
const held: LedgerAccount = {
  sequence: 7n,
  requiresMemo: false,
  balances: { USDC: 100n, XLM: 15_000_010n },
  reservedUnits: 15_000_000n,
};
const clock = manualClock();
const payments = ledgerPayments({
  network: { networkPassphrase, account: (address) => Promise.resolve(address === payer ? held : undefined) },
  usdcIssuer,
  clock,
});

const memoHash = 'ab'.repeat(32);
const inUsdc: Payment = { to, asset: 'USDC', units: 100n, isNewAccount: false, memoHash };
const inXlm: Payment = { to, asset: 'XLM', units: 10n, isNewAccount: false, memoHash };
const creation: Payment = { ...inXlm, isNewAccount: true };

const limits = { at: clock.now(), validForMsMax: ownTransactionsValidMs };
const isExpected = (envelopeXdr: string, payment: Payment): boolean =>
  verifyEnvelope(envelopeXdr, payments.expect(payer, payment), limits).status === 'verified';

type Changes = { readonly memo?: Memo; readonly fee?: string; readonly maxTime?: number; readonly source?: string };

function envelopeOf(operations: readonly xdr.Operation[], changes: Changes = {}): string {
  const { memo = Memo.hash(memoHash), fee = '100', maxTime = Math.floor(clock.epochMs() / 1_000) + 30, source = payer } = changes;
  const options = { fee, networkPassphrase, timebounds: { minTime: 0, maxTime }, memo };
  const builder = new TransactionBuilder(new Account(source, '7'), options);
  for (const operation of operations) builder.addOperation(operation);
  return builder.build().toXDR();
}

describe('a built payment', () => {
  it.each([inUsdc, inXlm, creation])('is recognised as %j and as no other', async (payment) => {
    const envelope = await payments.build(payer, payment);
    expect([inUsdc, inXlm, creation].filter((each) => isExpected(envelope, each))).toEqual([payment]);
    for (const changed of [{ to: other }, { units: payment.units + 1n }, { memoHash: 'cd'.repeat(32) }])
      expect(isExpected(envelope, { ...payment, ...changed })).toBe(false);
  });

  it.each([
    ['more USDC than the account holds', payer, { ...inUsdc, units: 101n }],
    ['XLM of the reserve', payer, { ...inXlm, units: 11n }],
    ['an account that does not exist', other, inUsdc],
  ])('is refused for %s', async (_, from, payment) => {
    await expect(payments.build(from, payment)).rejects.toThrow(ProviderRefused);
  });
});

describe('a transaction is not the requested payment', () => {
  const amount = '0.0000100';
  const honest = Operation.payment({ destination: to, asset: usdc, amount });

  it.each<[string, readonly xdr.Operation[], Changes]>([
    ['in another asset', [Operation.payment({ destination: to, asset: new Asset('USDC', other), amount })], {}],
    ['with another source of the operation', [Operation.payment({ destination: to, asset: usdc, amount, source: other })], {}],
    ['with a second operation', [honest, Operation.payment({ destination: other, asset: usdc, amount })], {}],
    ['as another operation', [Operation.changeTrust({ asset: usdc })], {}],
    ['with another source', [honest], { source: other }],
    ['with a text as memo', [honest], { memo: Memo.text('for another person') }],
    ['with the memo of another withdrawal', [honest], { memo: Memo.hash('cd'.repeat(32)) }],
    ['without a memo', [honest], { memo: Memo.none() }],
    ['with a high fee', [honest], { fee: '10001' }],
    ['without an upper time bound', [honest], { maxTime: 0 }],
  ])('%s', (_, operations, changes) => {
    expect(isExpected(envelopeOf([honest]), inUsdc)).toBe(true);
    expect(isExpected(envelopeOf(operations, changes), inUsdc)).toBe(false);
  });
});
