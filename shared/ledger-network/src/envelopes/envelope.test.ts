import {
  Account,
  Address,
  Asset,
  type FeeBumpTransaction,
  Keypair,
  Memo,
  MuxedAccount,
  nativeToScVal,
  Operation,
  SorobanDataBuilder,
  StrKey,
  TransactionBuilder,
  xdr,
  type Transaction,
} from '@stellar/stellar-sdk';
import fc from 'fast-check';
import { toInstant } from '@holdfast/kernel/context';
import { requireEnvelope } from '../testing/index.js';
import { encodeEnvelope, parseEnvelope, withSignatures } from './envelope.js';

const networkPassphrase = 'a network of the tests';
const account = Keypair.random().publicKey();

const someBytes = (length: number) => fc.uint8Array({ minLength: length, maxLength: length }).map((bytes) => Buffer.from(bytes));
const address = someBytes(32).map((key) => StrKey.encodeEd25519PublicKey(key));

const contractCall = fc
  .record({
    contract: someBytes(32).map((hash) => StrKey.encodeContract(hash)),
    function: fc.stringMatching(/^[a-z_]{1,32}$/),
    caller: address,
    args: fc.array(fc.oneof(fc.string(), fc.bigInt({ min: 0n, max: 10n ** 20n }), fc.boolean()), { maxLength: 4 }),
  })
  .map(({ caller, args, ...call }) =>
    Operation.invokeContractFunction({
      ...call,
      args: [new Address(caller).toScVal(), ...args.map((arg) => nativeToScVal(arg))],
    }),
  );
const payment = fc
  .record({ destination: address, source: address })
  .map((ends) => Operation.payment({ ...ends, asset: Asset.native(), amount: '1.5' }));
const trust = address.map((issuer) => Operation.changeTrust({ asset: new Asset('USDC', issuer) }));

const signature = fc
  .record({ hint: someBytes(4), signature: fc.integer({ min: 0, max: 64 }).chain(someBytes) })
  .map((parts) => new xdr.DecoratedSignature(parts));

const transaction = fc
  .record({
    source: address,
    sequence: fc.bigInt({ min: 0n, max: 2n ** 62n }),
    fee: fc.integer({ min: 100, max: 1_000_000 }),
    maxTime: fc.integer({ min: 0, max: 4_000_000_000 }),
    memo: fc.option(fc.stringMatching(/^[a-z]{0,28}$/)),
    minSequence: fc.option(fc.nat().map(String)),
    resourceFee: fc.option(fc.nat().map(String)),
    operations: fc.oneof(
      contractCall.map((call) => [call]),
      fc.array(fc.oneof(payment, trust), { minLength: 1, maxLength: 5 }),
    ),
  })
  .map(({ source, sequence, fee, maxTime, memo, minSequence, resourceFee, operations }) => {
    const builder = new TransactionBuilder(new Account(source, sequence.toString()), {
      fee: fee.toString(),
      networkPassphrase,
      timebounds: { minTime: 0, maxTime },
    });
    if (memo !== null) builder.addMemo(Memo.text(memo));
    if (minSequence !== null) builder.setMinAccountSequence(minSequence);
    if (resourceFee !== null) builder.setSorobanData(new SorobanDataBuilder().setResourceFee(resourceFee).build());
    for (const operation of operations) builder.addOperation(operation);
    return builder.build();
  });

/** Adds signatures of others. */
function signedBy(built: Transaction, signatures: readonly xdr.DecoratedSignature[]): string {
  built.signatures.push(...signatures);
  return built.toXDR();
}

function aTransaction(maxTime = 2_000_000_000, source: Account | MuxedAccount = new Account(account, '1')): Transaction {
  const builder = new TransactionBuilder(source, { fee: '100', networkPassphrase, timebounds: { minTime: 0, maxTime } });
  return builder.addOperation(Operation.payment({ destination: account, asset: Asset.native(), amount: '1' })).build();
}

describe('an envelope', () => {
  it('is parsed as the SDK parses it, for any content and any signatures', () => {
    fc.assert(
      fc.property(transaction, fc.array(signature, { maxLength: 3 }), (built, signatures) => {
        const { maxTime = '0' } = built.timeBounds ?? {};
        expect(parseEnvelope(signedBy(built, signatures), networkPassphrase)).toMatchObject({
          hash: built.hash().toString('hex'),
          sourceAccount: built.source,
          sequence: BigInt(built.sequence),
          validUntil: maxTime === '0' ? undefined : toInstant(Number(maxTime) * 1_000),
          operations: built.operations.map(({ type }) => type),
        });
      }),
    );
  });

  it('with added signatures has the same bytes as one of the SDK', () => {
    const some = fc.array(signature, { maxLength: 10 });
    fc.assert(
      fc.property(transaction, some, some, (built, before, added) => {
        const envelope = requireEnvelope(signedBy(built, before), networkPassphrase);
        const signed = withSignatures(envelope, added);
        expect(encodeEnvelope(signed)).toBe(signedBy(built, added));
        expect(signed.signatures).toHaveLength(before.length + added.length);
      }),
    );
  });

  it('is not modified by adding signatures', () => {
    const envelope = requireEnvelope(aTransaction().toXDR(), networkPassphrase);
    const decorated = new xdr.DecoratedSignature({ hint: Buffer.alloc(4, 1), signature: Buffer.alloc(64, 2) });
    const bytesOf = (signatures: xdr.DecoratedSignature[]) => encodeEnvelope(withSignatures(envelope, signatures));
    expect(bytesOf([decorated])).toBe(bytesOf([decorated]));
    expect(bytesOf([])).toBe(aTransaction().toXDR());
  });

  it('takes at most 20 signatures', () => {
    const envelope = requireEnvelope(aTransaction().toXDR(), networkPassphrase);
    const decorated = new xdr.DecoratedSignature({ hint: Buffer.alloc(4), signature: Buffer.alloc(64) });
    const signatures = (count: number) => Array.from({ length: count }, () => decorated);
    expect(encodeEnvelope(withSignatures(envelope, signatures(20)))).toBe(signedBy(aTransaction(), signatures(20)));
    expect(() => withSignatures(envelope, signatures(21))).toThrow(/at most 20 signatures/);
  });

  it('has no validUntil without an upper time bound, or with one beyond the range of Date', () => {
    const seconds = 8_640_000_000_000;
    const untilOf = (maxTime: number) => parseEnvelope(aTransaction(maxTime).toXDR(), networkPassphrase)?.validUntil;
    expect([0, seconds, seconds + 1].map(untilOf)).toEqual([undefined, toInstant(seconds * 1_000), undefined]);
  });
});

describe('parseEnvelope returns undefined for', () => {
  const bytesOf = (built: Transaction) => Buffer.from(built.toXDR(), 'base64');
  it.each<[string, () => string]>([
    ['an empty text', () => ''],
    ['a text that is not base64', () => '<html>'],
    ['a truncated envelope', () => bytesOf(aTransaction()).subarray(0, -8).toString('base64')],
    ['an envelope with trailing bytes', () => Buffer.concat([bytesOf(aTransaction()), Buffer.alloc(4)]).toString('base64')],
    ['a fee bump', () => feeBump().toXDR()],
    ['a muxed source account', () =>
      aTransaction(2_000_000_000, new MuxedAccount(new Account(account, '1'), '7')).toXDR()],
  ])('%s', (_, envelopeXdr) => {
    expect(parseEnvelope(envelopeXdr(), networkPassphrase)).toBeUndefined();
  }); // prettier-ignore

  it('bytes that are not canonical XDR', () => {
    fc.assert(
      fc.property(transaction, fc.nat(), fc.integer({ min: 1, max: 255 }), (built, at, change) => {
        const bytes = bytesOf(built);
        const place = at % bytes.length;
        bytes.writeUInt8(bytes.readUInt8(place) ^ change, place);
        const read = parseEnvelope(bytes.toString('base64'), networkPassphrase);
        // A changed byte may give another valid transaction; its bytes must be those that the SDK would write.
        if (read === undefined) return;
        expect(read.transaction.toXDR()).toEqual(read.bytes.subarray(4, read.signaturesAt));
      }),
    );
  });
});

function feeBump(): FeeBumpTransaction {
  const inner = aTransaction();
  inner.sign(Keypair.random());
  return TransactionBuilder.buildFeeBumpTransaction(Keypair.random(), '1000', inner, networkPassphrase);
}
