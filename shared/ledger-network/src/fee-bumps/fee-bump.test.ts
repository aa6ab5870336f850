import {
  Account,
  Asset,
  FeeBumpTransaction,
  Keypair,
  Networks,
  Operation,
  SorobanDataBuilder,
  TransactionBuilder,
} from '@stellar/stellar-sdk';
import { encodeEnvelope } from '../envelopes/index.js';
import { requireEnvelope } from '../testing/index.js';
import { buildFeeBump, innerFeeOf, isContractCall } from './fee-bump.js';

const networkPassphrase: string = Networks.TESTNET;
const source = Keypair.random();
const payer = Keypair.random();
const feeSource = payer.rawPublicKey();

function builder(fee: string): TransactionBuilder {
  const timebounds = { minTime: 0, maxTime: 1_800_000_000 };
  return new TransactionBuilder(new Account(source.publicKey(), '6'), { fee, networkPassphrase, timebounds });
}

function signed(unsigned: TransactionBuilder) {
  const transaction = unsigned.build();
  transaction.sign(source);
  return transaction;
}

const pay = () => Operation.payment({ destination: payer.publicKey(), asset: Asset.native(), amount: '1' });
const payment = signed(builder('100').addOperation(pay()));
const twoPayments = signed(builder('250').addOperation(pay()).addOperation(pay()));
const resources = new SorobanDataBuilder().setResourceFee(54_321).build();
const call = signed(
  builder('1000')
    .setSorobanData(resources)
    .addOperation(Operation.extendFootprintTtl({ extendTo: 5 })),
);
const all = [
  { name: 'a payment', transaction: payment, fee: { operations: 1, resourceUnits: 0n, bidUnits: 100n }, isCall: false },
  { name: 'two payments', transaction: twoPayments, fee: { operations: 2, resourceUnits: 0n, bidUnits: 250n }, isCall: false },
  { name: 'a contract call', transaction: call, fee: { operations: 1, resourceUnits: 54_321n, bidUnits: 1_000n }, isCall: true },
];

describe.each(all)('a fee bump of $name', ({ transaction, fee, isCall }) => {
  const inner = requireEnvelope(transaction.toXDR(), networkPassphrase);

  const encoded = buildFeeBump(inner, { feeSource, bidUnits: 4_000n });
  const bump = new FeeBumpTransaction(encodeEnvelope(encoded), networkPassphrase);

  it('is paid by its fee source: the bid for each operation and for itself, and the resources', () => {
    expect(bump.feeSource).toBe(payer.publicKey());
    expect(BigInt(bump.fee)).toBe(4_000n * BigInt(fee.operations + 1) + fee.resourceUnits);
  });

  it('contains the signed transaction unchanged', () => {
    expect(bump.innerTransaction.toXDR()).toBe(transaction.toXDR());
    expect(bump.signatures).toEqual([]);
  });

  it.each([1_000n, 4_000n, 1_000_000n])('has the bytes and the hash of one that the SDK builds, for a bid of %d', (bidUnits) => {
    const own = buildFeeBump(inner, { feeSource, bidUnits });
    const built = TransactionBuilder.buildFeeBumpTransaction(payer, bidUnits.toString(), transaction, networkPassphrase);
    expect(encodeEnvelope(own)).toBe(built.toXDR());
    expect(own.hash).toBe(built.hash().toString('hex'));
  });

  it('knows what the transaction bids itself', () => {
    expect(innerFeeOf(inner)).toEqual(fee);
    expect(isContractCall(inner)).toBe(isCall);
  });
});

it('a bid inside a transaction is rounded up', () => {
  const transaction = payment.toEnvelope();
  transaction.v1().tx().fee(201);
  transaction
    .v1()
    .tx()
    .operations([...transaction.v1().tx().operations(), ...transaction.v1().tx().operations()]);
  expect(innerFeeOf(requireEnvelope(transaction.toXDR('base64'), networkPassphrase)).bidUnits).toBe(101n);
});
