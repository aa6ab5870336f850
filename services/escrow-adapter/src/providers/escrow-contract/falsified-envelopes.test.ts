import { Asset, Operation, StrKey, xdr } from '@stellar/stellar-sdk';
import {
  addresses,
  channel,
  contractId,
  nowSeconds,
  otherContract,
  signingCases,
  stranger,
  type Operation as SignedOperation,
  type SigningCase,
} from './testing/parties.js';
import {
  account,
  authOf,
  distributions,
  i128,
  multiEscrow,
  multiMilestone,
  providerEnvelope,
  roles,
  singleEscrow,
  transfer,
  u32,
  vec,
  type Envelope,
  type Invocation,
} from './testing/provider-envelopes.js';
import { refusalOf } from './testing/refusals.js';

const { buyer, seller } = addresses;

function withArgument({ call, ...envelope }: Envelope, position: number, value: xdr.ScVal): Envelope {
  return { ...envelope, call: { ...call, args: call.args.with(position, value) } };
}

function withCall({ call, ...envelope }: Envelope, change: Partial<Invocation>): Envelope {
  return { ...envelope, call: { ...call, ...change } };
}

describe('a falsified transaction is refused, whatever the step:', () => {
  const payment = Operation.payment({ destination: stranger, asset: Asset.native(), amount: '1' });
  const foreign = xdr.SorobanCredentials.sorobanCredentialsAddress(
    new xdr.SorobanAddressCredentials({
      address: xdr.ScAddress.scAddressTypeAccount(
        xdr.PublicKey.publicKeyTypeEd25519(StrKey.decodeEd25519PublicKey(addresses.buyer)),
      ),
      nonce: new xdr.Int64(7),
      signatureExpirationLedger: 1_000_000,
      signature: xdr.ScVal.scvVoid(),
    }),
  );
  const falsify: readonly (readonly [kind: string, field: string, change: (honest: Envelope) => Envelope])[] = [
    ['wrong-contract', 'call.contract', (honest) => withCall(honest, { contract: otherContract })],
    ['wrong-function', 'call.function', (honest) => withCall(honest, { function: 'update_escrow' })],
    ['extra-operation', 'operations.length', (honest) => ({ ...honest, extraOperations: [payment] })],
    ['foreign-credential', 'auth.credentials', (honest) => ({ ...honest, auth: [authOf(honest.call, foreign)] })],
    ['endless-bounds (none)', 'timeBounds.maxTime', (honest) => ({ ...honest, maxTime: 0 })],
    ['endless-bounds (far)', 'timeBounds.maxTime', (honest) => ({ ...honest, maxTime: nowSeconds + 301 })],
    ['huge-fee', 'fee', (honest) => ({ ...honest, bid: '30000001' })],
    ['huge-fee (resources)', 'fee', (honest) => ({ ...honest, resourceFee: '30000001' })],
  ];

  describe.each(falsify)('%s', (_, field, change) => {
    it.each(signingCases)('$operation on $type $variant', (signingCase) => {
      expect(refusalOf(signingCase, change(providerEnvelope(signingCase))).field).toBe(field);
    });
  });
});

function casesOf(...operations: readonly SignedOperation[]): readonly SigningCase[] {
  return signingCases.filter(({ operation }) => operations.includes(operation));
}

/** The dispute of a single-release contract concerns no milestone. */
function hasMilestoneFirst({ operation, type }: SigningCase): boolean {
  return operation !== 'dispute' || type === 'multi-release';
}

/** Distributions are the last argument. */
function withDistributions(honest: Envelope, ...amounts: readonly (readonly [string, bigint])[]): Envelope {
  return withArgument(honest, honest.call.args.length - 1, distributions(amounts));
}

describe('wrong-amount is refused:', () => {
  it.each(casesOf('deploy'))('$operation on $type $variant', (signingCase) => {
    const isSingle = signingCase.type === 'single-release';
    const escrow = isSingle
      ? singleEscrow({ amount: i128(1_000_000_001n) })
      : multiEscrow({ milestones: vec([multiMilestone('Drafts', 400_000_000n), multiMilestone('Logo', 600_000_001n)]) });
    expect(refusalOf(signingCase, withArgument(providerEnvelope(signingCase), 4, vec([escrow])))).toEqual({
      field: isSingle ? 'call.init_args[0].amount' : 'call.init_args[0].milestones[1].amount',
      expected: isSingle ? 'i128 1000000000' : 'i128 600000000',
      found: isSingle ? 'i128 1000000001' : 'i128 600000001',
    });
  });

  it.each(casesOf('fund'))('$operation on $type $variant', (signingCase) => {
    const honest = providerEnvelope(signingCase);
    const more = withArgument(honest, 2, i128(2_000_000_000n));
    expect(refusalOf(signingCase, more)).toEqual({
      field: 'call.amount',
      expected: 'i128 1000000000',
      found: 'i128 2000000000',
    });
    const moreTransferred = withCall(honest, { below: [transfer(contractId, 2_000_000_000n)] });
    expect(refusalOf(signingCase, moreTransferred)).toMatchObject({ field: 'auth.subInvocations[0].amount' });
  });

  it.each(casesOf('resolve'))('$operation on $type $variant', (signingCase) => {
    const shifted = withDistributions(providerEnvelope(signingCase), [seller, 250_000_001n], [buyer, 349_999_999n]);
    expect(refusalOf(signingCase, shifted).field).toMatch(/^call\.distributions\.G/);
  });

  it.each(casesOf('withdrawRemaining'))('$operation on $type $variant', (signingCase) => {
    const more = withDistributions(providerEnvelope(signingCase), [addresses.platform, 50_000_001n]);
    expect(refusalOf(signingCase, more).field).toMatch(/^call\.distributions\.G/);
  });
});

describe('wrong-receiver is refused:', () => {
  it.each(casesOf('deploy'))('$operation on $type $variant', (signingCase) => {
    const isSingle = signingCase.type === 'single-release';
    const escrow = isSingle
      ? singleEscrow({ roles: roles({ receiver: account(stranger) }) })
      : multiEscrow({
          milestones: vec([multiMilestone('Drafts', 400_000_000n), multiMilestone('Logo', 600_000_000n, stranger)]),
        });
    expect(refusalOf(signingCase, withArgument(providerEnvelope(signingCase), 4, vec([escrow])))).toEqual({
      field: isSingle ? 'call.init_args[0].roles.receiver' : 'call.init_args[0].milestones[1].receiver',
      expected: `address ${seller}`,
      found: `address ${stranger}`,
    });
  });

  it.each(casesOf('fund'))('$operation on $type $variant', (signingCase) => {
    const elsewhere = withCall(providerEnvelope(signingCase), { below: [transfer(stranger, 1_000_000_000n)] });
    expect(refusalOf(signingCase, elsewhere)).toEqual({
      field: 'auth.subInvocations[0].to',
      expected: `address ${contractId}`,
      found: `address ${stranger}`,
    });
  });

  const withFeeAddress = casesOf('release', 'resolve', 'withdrawRemaining').filter(({ variant }) => variant === 'v1');
  it.each(withFeeAddress)('$operation on $type $variant (fee address)', (signingCase) => {
    const position = signingCase.operation === 'resolve' && signingCase.type === 'multi-release' ? 2 : 1;
    const honest = providerEnvelope(signingCase);
    expect(refusalOf(signingCase, withArgument(honest, position, account(stranger)))).toMatchObject({
      field: 'call.trustless_work_address',
      found: `address ${stranger}`,
    });
  });

  it.each(casesOf('release', 'resolve').filter(({ type }) => type === 'multi-release'))(
    '$operation on $type $variant (milestone)',
    (signingCase) => {
      const releasePosition = signingCase.variant === 'v1' ? 2 : 1;
      const position = signingCase.operation === 'resolve' ? 1 : releasePosition;
      expect(refusalOf(signingCase, withArgument(providerEnvelope(signingCase), position, u32(0)))).toEqual({
        field: 'call.milestone_index',
        expected: 'u32 1',
        found: 'u32 0',
      });
    },
  );

  it.each(casesOf('complete', 'approve', 'dispute').filter(hasMilestoneFirst))(
    '$operation on $type $variant (milestone)',
    (signingCase) => {
      const honest = providerEnvelope(signingCase);
      const found = honest.call.args[0]?.u32() ?? -1;
      expect(refusalOf(signingCase, withArgument(honest, 0, u32(found + 1)))).toEqual({
        field: 'call.milestone_index',
        expected: `u32 ${found}`,
        found: `u32 ${found + 1}`,
      });
    },
  );

  it.each(casesOf('resolve'))('$operation on $type $variant (distribution)', (signingCase) => {
    const honest = providerEnvelope(signingCase);
    const toStranger = withDistributions(honest, [stranger, 250_000_000n], [buyer, 350_000_000n]);
    expect(refusalOf(signingCase, toStranger).field).toMatch(/^call\.distributions\.G/);
    const swapped = withDistributions(honest, [buyer, 250_000_000n], [seller, 350_000_000n]);
    expect(refusalOf(signingCase, swapped).field).toMatch(/^call\.distributions\.G/);
    const more = withDistributions(honest, [seller, 250_000_000n], [buyer, 350_000_000n], [stranger, 1n]);
    expect(refusalOf(signingCase, more).field).toMatch(/^call\.distributions\./);
  });

  it.each(casesOf('withdrawRemaining'))('$operation on $type $variant (distribution)', (signingCase) => {
    const toStranger = withDistributions(providerEnvelope(signingCase), [stranger, 50_000_000n]);
    expect(refusalOf(signingCase, toStranger).field).toMatch(/^call\.distributions\.G/);
  });
});

describe('extra-transfer is refused:', () => {
  it.each(casesOf('fund'))('$operation on $type $variant', (signingCase) => {
    const honest = providerEnvelope(signingCase);
    const own = transfer(contractId, 1_000_000_000n);
    const second = withCall(honest, { below: [own, transfer(stranger, 1n)] });
    expect(refusalOf(signingCase, second)).toEqual({ field: 'auth.subInvocations.length', expected: '1', found: '2' });
    const below = withCall(honest, { below: [{ ...own, below: [transfer(stranger, 1n)] }] });
    expect(refusalOf(signingCase, below)).toMatchObject({ field: 'auth.subInvocations[0].subInvocations.length' });
  });

  it.each(signingCases.filter(({ operation }) => operation !== 'fund'))('$operation on $type $variant', (signingCase) => {
    const moving = withCall(providerEnvelope(signingCase), { below: [transfer(stranger, 1n)] });
    expect(refusalOf(signingCase, moving)).toEqual({ field: 'auth.subInvocations.length', expected: '0', found: '1' });
  });

  it.each(casesOf('fund'))('$operation on $type $variant of another token or of another payer', (signingCase) => {
    const honest = providerEnvelope(signingCase);
    const own = transfer(contractId, 1_000_000_000n);
    const otherToken = withCall(honest, { below: [{ ...own, contract: otherContract }] });
    expect(refusalOf(signingCase, otherToken)).toMatchObject({ field: 'auth.subInvocations[0].contract' });
    const otherPayer = withCall(honest, { below: [{ ...own, args: own.args.with(0, account(buyer)) }] });
    expect(refusalOf(signingCase, otherPayer)).toEqual({
      field: 'auth.subInvocations[0].from',
      expected: `address ${channel}`,
      found: `address ${buyer}`,
    });
  });
});
