import { Account, Asset, Keypair, Operation, TransactionBuilder, type xdr } from '@stellar/stellar-sdk';
import { manualClock } from '@holdfast/testing/clock';
import type { Payment } from '../../domain/payout.js';
import { requireEnvelope } from '../../testing/require-envelope.js';
import { ProviderRefused } from '../../use-cases/ports.js';
import type { LedgerAccount } from '../ports.js';
import { ledgerPayments } from './ledger-payments.js';

const networkPassphrase = 'a network of the tests';
const [payer, to, usdcIssuer, other] = Array.from({ length: 4 }, () => Keypair.random().publicKey()) as [
  string,
  string,
  string,
  string,
];
const usdc = new Asset('USDC', usdcIssuer);
const held: LedgerAccount = { sequence: 7n, requiresMemo: false, balances: { USDC: 100n, XLM: 50_000_010n } };
const payments = ledgerPayments({
  network: { networkPassphrase, account: (address) => Promise.resolve(address === payer ? held : undefined) },
  usdcIssuer,
  clock: manualClock(),
});

const inUsdc: Payment = { to, asset: 'USDC', units: 100n, isNewAccount: false };
const inXlm: Payment = { to, asset: 'XLM', units: 10n, isNewAccount: false };
const creation: Payment = { ...inXlm, isNewAccount: true };

const parsed = (envelopeXdr: string) => requireEnvelope(envelopeXdr, networkPassphrase);

function envelopeOf(...operations: readonly xdr.Operation[]) {
  const builder = new TransactionBuilder(new Account(payer, '7'), { fee: '100', networkPassphrase });
  for (const operation of operations) builder.addOperation(operation);
  return parsed(builder.setTimeout(30).build().toXDR());
}

describe('a built payment', () => {
  it.each([inUsdc, inXlm, creation])('is recognised as %j and as no other', async (payment) => {
    const envelope = parsed(await payments.build(payer, payment));
    expect(envelope).toMatchObject({ sourceAccount: payer, sequence: 8n });
    expect(envelope.validUntil).toBeDefined();
    expect([inUsdc, inXlm, creation].filter((each) => payments.isPayment(envelope, each))).toEqual([payment]);
    for (const changed of [{ to: other }, { units: payment.units + 1n }])
      expect(payments.isPayment(envelope, { ...payment, ...changed })).toBe(false);
  });

  it.each([
    ['more USDC than the account holds', payer, { ...inUsdc, units: 101n }],
    ['XLM that the account needs itself', payer, { ...inXlm, units: 11n }],
    ['an account that does not exist', other, inUsdc],
  ])('is refused for %s', async (_, from, payment) => {
    await expect(payments.build(from, payment)).rejects.toThrow(ProviderRefused);
  });
});

describe('a transaction is not the requested payment', () => {
  const amount = '0.0000100';
  it.each([
    ['in another asset', () => [Operation.payment({ destination: to, asset: new Asset('USDC', other), amount })]],
    ['with another source', () => [Operation.payment({ destination: to, asset: usdc, amount, source: other })]],
    ['with a second operation', () => [
      Operation.payment({ destination: to, asset: usdc, amount }),
      Operation.payment({ destination: other, asset: usdc, amount }),
    ]],
    ['as another operation', () => [Operation.changeTrust({ asset: usdc })]],
  ])('%s', (_, operations) => {
    expect(payments.isPayment(envelopeOf(...operations()), inUsdc)).toBe(false);
  }); // prettier-ignore
});
