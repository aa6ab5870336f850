import { Account, Address, Asset, Keypair, Memo, MuxedAccount, Operation, TransactionBuilder, xdr } from '@stellar/stellar-sdk';
import fc from 'fast-check';
import {
  addresses,
  contractId,
  expectationOf,
  factory,
  functionCases,
  limits,
  networkPassphrase,
  nowSeconds,
  signingCases,
  stranger,
  type SigningCase,
} from './testing/parties.js';
import { authOf, bytes, providerEnvelope, toXdr, vec, type Envelope } from './testing/provider-envelopes.js';
import { refusalOf } from './testing/refusals.js';
import { verifyEnvelope } from '@holdfast/ledger-network/expectations';

const release: SigningCase = { type: 'single-release', variant: 'v1', operation: 'release' };
const fund: SigningCase = { ...release, operation: 'fund' };
const deploy: SigningCase = { ...release, operation: 'deploy' };
const honest = providerEnvelope(release);

describe('a transaction of another form is refused:', () => {
  it.each<[string, string, Partial<Envelope>]>([
    ['another source account', 'source', { source: stranger }],
    ['an operation of another account', 'operation.source', { operationSource: stranger }],
    [
      'an operation of a muxed account',
      'operation.source',
      { operationSource: new MuxedAccount(new Account(addresses.buyer, '1'), '7').accountId() },
    ],
    ['a memo', 'memo', { memo: Memo.text('ord_1') }],
    ['a lower time bound in the future', 'timeBounds.minTime', { minTime: nowSeconds + 1 }],
    ['an expired one', 'timeBounds.maxTime', { maxTime: nowSeconds }],
    ['no authorization', 'auth.length', { auth: [] }],
    ['two authorizations', 'auth.length', { auth: [authOf(honest.call), authOf(honest.call)] }],
  ])('%s', (_, field, change) => {
    expect(refusalOf(release, { ...honest, ...change }).field).toBe(field);
  });

  it('the same operation source is the same account', () => {
    const envelopeXdr = toXdr({ ...honest, operationSource: addresses.buyer });
    expect(verifyEnvelope(envelopeXdr, expectationOf(release), limits).status).toBe('verified');
  });

  it('an authorization of another deployment', () => {
    const deployment = providerEnvelope(deploy);
    const otherSalt = { ...deployment.call, args: deployment.call.args.with(2, bytes(Buffer.alloc(32, 8))) };
    expect(refusalOf(deploy, { ...deployment, auth: [authOf(otherSalt)] })).toEqual({
      field: 'auth',
      expected: 'the call of the transaction',
      found: 'another call',
    });
  });

  it('a signed one', () => {
    const transaction = TransactionBuilder.fromXDR(toXdr(honest), networkPassphrase);
    transaction.sign(Keypair.random());
    expect(refusalOf(release, transaction.toXDR())).toEqual({ field: 'signatures', expected: '0', found: '1' });
  });

  it('a fee bump, which could wrap anything', () => {
    const inner = TransactionBuilder.fromXDR(toXdr(honest), networkPassphrase);
    if ('innerTransaction' in inner) throw new Error('this is a fee bump');
    inner.sign(Keypair.random());
    const bump = TransactionBuilder.buildFeeBumpTransaction(Keypair.random(), '1000000', inner, networkPassphrase);
    expect(refusalOf(release, bump.toXDR()).field).toBe('envelope');
  });

  it('one with a muxed source account, or of the old form', () => {
    const envelope = xdr.TransactionEnvelope.fromXDR(toXdr(honest), 'base64');
    const transaction = envelope.v1().tx();
    const key = transaction.sourceAccount().ed25519();
    const old = new xdr.TransactionV0({
      sourceAccountEd25519: key,
      fee: transaction.fee(),
      seqNum: transaction.seqNum(),
      timeBounds: transaction.cond().timeBounds(),
      memo: transaction.memo(),
      operations: transaction.operations(),
      ext: new xdr.TransactionV0Ext(0),
    });
    const oldEnvelope = xdr.TransactionEnvelope.envelopeTypeTxV0(new xdr.TransactionV0Envelope({ tx: old, signatures: [] }));
    expect(refusalOf(release, oldEnvelope.toXDR('base64')).field).toBe('envelope');
    const numbered = new xdr.MuxedAccountMed25519({ id: new xdr.Uint64(7), ed25519: key });
    transaction.sourceAccount(xdr.MuxedAccount.keyTypeMuxedEd25519(numbered));
    expect(refusalOf(release, envelope.toXDR('base64')).field).toBe('envelope');
  });

  it.each<[string, string, () => xdr.Operation]>([
    ['a payment', 'operation.type', () => Operation.payment({ destination: stranger, asset: Asset.native(), amount: '1' })],
    ['an upload of code', 'operation.hostFunction', () => Operation.uploadContractWasm({ wasm: Buffer.alloc(8, 1) })],
    [
      'a deployment without the factory',
      'operation.hostFunction',
      () => Operation.createCustomContract({ address: new Address(addresses.buyer), wasmHash: Buffer.alloc(32, 1) }),
    ],
  ])('%s', (_, field, operation) => {
    expect(refusalOf(release, withOperation(operation())).field).toBe(field);
  });

  it('a call without resources', () => {
    const call = Operation.invokeContractFunction({ contract: contractId, function: 'release_funds', args: [] });
    expect(
      refusalOf(
        release,
        build((builder) => builder.addOperation(call)),
      ),
    ).toMatchObject({ field: 'resources' });
  });

  it('another precondition than time bounds', () => {
    const call = Operation.invokeContractFunction({ contract: contractId, function: 'release_funds', args: [] });
    const withSequence = build((builder) => builder.addOperation(call).setMinAccountSequence('1'));
    expect(refusalOf(release, withSequence)).toEqual({ field: 'preconditions', expected: 'precondTime', found: 'precondV2' });
  });

  it('an authorization to deploy a contract', () => {
    const preimage = xdr.ContractIdPreimage.contractIdPreimageFromAddress(
      new xdr.ContractIdPreimageFromAddress({ address: new Address(factory).toScAddress(), salt: Buffer.alloc(32) }),
    );
    const executable = xdr.ContractExecutable.contractExecutableStellarAsset();
    const create = new xdr.CreateContractArgs({ contractIdPreimage: preimage, executable });
    const auth = new xdr.SorobanAuthorizationEntry({
      credentials: xdr.SorobanCredentials.sorobanCredentialsSourceAccount(),
      rootInvocation: new xdr.SorobanAuthorizedInvocation({
        function: xdr.SorobanAuthorizedFunction.sorobanAuthorizedFunctionTypeCreateContractHostFn(create),
        subInvocations: [],
      }),
    });
    expect(refusalOf(release, { ...honest, auth: [auth] })).toMatchObject({ field: 'auth.type' });
  });
});

function build(add: (builder: TransactionBuilder) => TransactionBuilder): string {
  const timebounds = { minTime: 0, maxTime: nowSeconds + 30 };
  const source = new Account(addresses.buyer, '41');
  return add(new TransactionBuilder(source, { fee: '100', networkPassphrase, timebounds }))
    .build()
    .toXDR();
}

/** The honest transaction with another operation in place of its own. */
function withOperation(operation: xdr.Operation): string {
  const envelope = xdr.TransactionEnvelope.fromXDR(toXdr(honest), 'base64');
  envelope.v1().tx().operations([operation]);
  return envelope.toXDR('base64');
}

describe('no input throws:', () => {
  const statusOf = (signingCase: SigningCase, envelopeXdr: string) =>
    verifyEnvelope(envelopeXdr, expectationOf(signingCase), limits).status;

  it.each(functionCases)('a truncated envelope is refused: $operation on $type $variant', (signingCase) => {
    const whole = Buffer.from(toXdr(providerEnvelope(signingCase)), 'base64');
    for (let length = whole.length - 1; length > 0; length -= 13) {
      expect(refusalOf(signingCase, whole.subarray(0, length).toString('base64')).field).toBe('envelope');
    }
  });

  it('random texts and random bytes are refused', () => {
    const texts = fc.oneof(fc.string({ unit: 'binary' }), fc.base64String(), fc.uint8Array({ maxLength: 500 }).map(toBase64));
    fc.assert(fc.property(fc.constantFrom(...signingCases), texts, (one, text) => statusOf(one, text) === 'refused'));
  });

  it('an envelope that claims huge or deeply nested content is refused', () => {
    let nested = vec([]);
    for (let depth = 0; depth < 150; depth += 1) nested = vec([nested]);
    const call = Operation.invokeContractFunction({ contract: contractId, function: 'release_funds', args: [nested] });
    expect(refusalOf(release, withOperation(call)).field).toBe('envelope');
    const huge = Buffer.from(toXdr(honest), 'base64').fill(0xff, 100);
    expect(refusalOf(release, huge.toString('base64')).field).toBe('envelope');
  });

  /** Without deployments, whose salt may be any. */
  const changeable = functionCases
    .filter(({ operation }) => operation !== 'deploy')
    .map((signingCase) => ({ signingCase, original: toXdr(providerEnvelope(signingCase)) }));
  const flips = fc.array(fc.tuple(fc.nat(), fc.integer({ min: 1, max: 255 })), { minLength: 1, maxLength: 3 });
  it('with changed bytes only that is verified which still makes the same call', () => {
    fc.assert(
      fc.property(fc.constantFrom(...changeable), flips, ({ signingCase, original }, changes) => {
        const content = Buffer.from(original, 'base64');
        for (const [place, change] of changes) {
          const at = place % content.length;
          content.writeUInt8(content.readUInt8(at) ^ change, at);
        }
        const changed = content.toString('base64');
        if (statusOf(signingCase, changed) === 'verified') expect(essenceOf(changed)).toEqual(essenceOf(original));
      }),
      { numRuns: 500 },
    );
  });

  it('a verified envelope is returned as it was parsed', () => {
    const envelopeXdr = toXdr(providerEnvelope(fund));
    const verification = verifyEnvelope(envelopeXdr, expectationOf(fund), limits);
    if (verification.status === 'refused') throw new Error('the envelope was refused');
    expect(verification.envelope.bytes.toString('base64')).toBe(envelopeXdr);
    expect(verification.envelope.networkPassphrase).toBe(networkPassphrase);
  });
});

function toBase64(content: Uint8Array): string {
  return Buffer.from(content).toString('base64');
}

/** All but what the provider chooses: sequence number, fee, time bounds and resources. */
function essenceOf(envelopeXdr: string): readonly string[] {
  const transaction = xdr.TransactionEnvelope.fromXDR(envelopeXdr, 'base64').v1().tx();
  const parts = [transaction.sourceAccount(), transaction.memo(), ...transaction.operations()];
  return parts.map((part) => part.toXDR('base64'));
}
