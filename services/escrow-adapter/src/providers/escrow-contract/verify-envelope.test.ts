import { Address, xdr } from '@stellar/stellar-sdk';
import { addresses, channel, contractId, expectationOf, limits, signingCases, token, type Operation } from './testing/parties.js';
import { providerEnvelope, toXdr } from './testing/provider-envelopes.js';
import { verifyEnvelope } from '@holdfast/ledger-network/expectations';

describe('the transaction that the provider builds for', () => {
  it.each(signingCases)('$operation on $type $variant is verified', (signingCase) => {
    expect(verifyEnvelope(toXdr(providerEnvelope(signingCase)), expectationOf(signingCase), limits)).toMatchObject({
      status: 'verified',
    });
  });

  it.each(signingCases)('$operation on $type $variant is refused for every other step', (signingCase) => {
    const envelopeXdr = toXdr(providerEnvelope(signingCase));
    const others = signingCases.filter(({ operation }) => operation !== signingCase.operation);
    expect(others.map((other) => verifyEnvelope(envelopeXdr, expectationOf(other), limits).status)).toEqual(
      others.map(() => 'refused'),
    );
  });
});

/** XDR, written out: numbers have four bytes, texts their length before them and are padded to a multiple of four. */
const uint32 = (value: number): string => value.toString(16).padStart(8, '0');
const uint64 = (value: number): string => value.toString(16).padStart(16, '0');
const text = (content: string): string => {
  const hex = Buffer.from(content).toString('hex');
  return uint32(content.length) + hex.padEnd(Math.ceil(hex.length / 8) * 8, '0');
};
const contract = (id: string): string => uint32(1) + new Address(id).toBuffer().toString('hex');
const account = (id: string): string => uint32(0) + uint32(0) + new Address(id).toBuffer().toString('hex');

/** The numbers of the wire types. */
const type = { void: uint32(1), u32: uint32(3), i128: uint32(10), string: uint32(14), address: uint32(18) };

describe('the bytes of a recorded form', () => {
  function operationOf(operation: Operation): xdr.InvokeHostFunctionOp {
    const envelopeXdr = toXdr(providerEnvelope({ type: 'single-release', variant: 'v1', operation }));
    const [only] = xdr.TransactionEnvelope.fromXDR(envelopeXdr, 'base64').v1().tx().operations();
    if (only === undefined) throw new Error('the transaction has no operation');
    return only.body().invokeHostFunctionOp();
  }
  const invokeContract = uint32(0);
  const sourceAccount = uint32(0);
  const contractFunction = uint32(0);
  const noneBelow = uint32(0);

  /** The call, then one authorization of the same call by the source account. */
  const authorizedCall = (call: string): string =>
    invokeContract + call + uint32(1) + sourceAccount + contractFunction + call + noneBelow;

  it('dispute: the signer', () => {
    const call = contract(contractId) + text('dispute_escrow') + uint32(1) + type.address + account(addresses.buyer);
    expect(operationOf('dispute').toXDR('hex')).toBe(authorizedCall(call));
  });

  it('status: index, status, no evidence, service provider', () => {
    const args = [type.u32 + uint32(1), type.string + text('COMPLETED'), type.void, type.address + account(addresses.seller)];
    const call = contract(contractId) + text('change_milestone_status') + uint32(args.length) + args.join('');
    expect(operationOf('complete').toXDR('hex')).toBe(authorizedCall(call));
  });

  it('fund: below the call one transfer from the signer to the contract', () => {
    const args = [
      type.address + account(channel),
      type.address + contract(contractId),
      type.i128 + uint64(0) + uint64(1_000_000_000),
    ];
    const transfer = contract(token) + text('transfer') + uint32(args.length) + args.join('');
    const [below, ...others] = operationOf('fund')
      .auth()
      .flatMap((entry) => entry.rootInvocation().subInvocations());
    expect(others).toEqual([]);
    expect(below?.toXDR('hex')).toBe(contractFunction + transfer + noneBelow);
  });

  it('deploy: the terms are one struct with sorted keys, and the constructor gets nothing', () => {
    const args = operationOf('deploy').hostFunction().invokeContract().args();
    const types = ['scvAddress', 'scvBytes', 'scvBytes', 'scvSymbol', 'scvVec', 'scvVec'];
    expect(args.map((arg) => arg.switch().name)).toEqual(types);
    const [escrow, ...others] = args[4]?.vec() ?? [];
    expect([...others, ...(args[5]?.vec() ?? [])]).toEqual([]);
    expect(escrow?.map()?.map((entry) => `${entry.key().sym().toString()} ${entry.val().switch().name}`)).toEqual([
      'amount scvI128',
      'description scvString',
      'engagement_id scvString',
      'flags scvMap',
      'milestones scvVec',
      'platform_fee scvU32',
      'receiver_memo scvU32',
      'roles scvMap',
      'title scvString',
      'trustline scvMap',
    ]);
  });
});
