import {
  Account,
  Address,
  nativeToScVal,
  Operation,
  SorobanDataBuilder,
  StrKey,
  TransactionBuilder,
  xdr,
} from '@stellar/stellar-sdk';

/*
 * Unsigned envelopes as the real provider builds them, written value by value from the published interface of its contracts.
 * Nothing of the sandbox's own encoder is used here, so that an error in it is noticed.
 */

const account = (letter: string): string => StrKey.encodeEd25519PublicKey(Buffer.alloc(32, letter));
const contract = (letter: string): string => StrKey.encodeContract(Buffer.alloc(32, letter));

export const buyer = account('b');
export const seller = account('s');
const platform = account('p');
export const resolver = account('r');
export const feeAddress = account('f');
export const stranger = account('x');
export const escrowContract = contract('E');
export const factory = contract('F');
const token = contract('T');
export const maxTime = 1_800_000_030;

const address = (id: string): xdr.ScVal => new Address(id).toScVal();
const i128 = (units: bigint): xdr.ScVal => nativeToScVal(units, { type: 'i128' });
const text = (value: string): xdr.ScVal => xdr.ScVal.scvString(value);
const bool = (value: boolean): xdr.ScVal => xdr.ScVal.scvBool(value);
const u32 = (value: number): xdr.ScVal => xdr.ScVal.scvU32(value);

function map(entries: readonly (readonly [xdr.ScVal, xdr.ScVal])[]): xdr.ScVal {
  return xdr.ScVal.scvMap(entries.map(([key, val]) => new xdr.ScMapEntry({ key, val })));
}

const struct = (fields: Readonly<Record<string, xdr.ScVal>>): xdr.ScVal =>
  map(Object.entries(fields).map(([name, value]) => [xdr.ScVal.scvSymbol(name), value]));

const roles = (receiver: Readonly<Record<string, xdr.ScVal>>): xdr.ScVal =>
  struct({
    approver: address(buyer),
    dispute_resolver: address(resolver),
    platform: address(platform),
    ...receiver,
    release_signer: address(buyer),
    service_provider: address(seller),
  });

const contractFlags = { disputed: bool(false), released: bool(false), resolved: bool(false) };

const singleEscrow = struct({
  amount: i128(1_000_000_000n),
  description: text('Made to measure'),
  engagement_id: text('ord_1'),
  flags: struct(contractFlags),
  milestones: xdr.ScVal.scvVec([
    struct({ approved: bool(false), description: text('all of it'), evidence: text(''), status: text('pending') }),
  ]),
  platform_fee: u32(500),
  receiver_memo: u32(0),
  roles: roles({ receiver: address(seller) }),
  title: text('A website'),
  trustline: struct({ address: address(token) }),
});

const multiMilestone = (units: bigint): xdr.ScVal =>
  struct({
    amount: i128(units),
    description: text('a part'),
    evidence: text(''),
    flags: struct({ approved: bool(false), ...contractFlags }),
    receiver: address(seller),
    status: text('pending'),
  });

const multiEscrow = struct({
  description: text('Made to measure'),
  engagement_id: text('ord_1'),
  milestones: xdr.ScVal.scvVec([multiMilestone(600_000_000n), multiMilestone(400_000_000n)]),
  platform_fee: u32(500),
  receiver_memo: u32(0),
  roles: roles({}),
  title: text('A website'),
  trustline: struct({ address: address(token) }),
});

const deployment = (escrow: xdr.ScVal): readonly xdr.ScVal[] => [
  address(buyer),
  xdr.ScVal.scvBytes(Buffer.alloc(32, 'wasm')),
  xdr.ScVal.scvBytes(Buffer.alloc(32, 'salt')),
  xdr.ScVal.scvSymbol('initialize_escrow'),
  xdr.ScVal.scvVec([escrow]),
  xdr.ScVal.scvVec([]),
];
const shares = map([
  [address(buyer), i128(600_000_000n)],
  [address(seller), i128(400_000_000n)],
]);

/** The calls of the version with a fee address argument; the last two belong to the version without it. */
export const builtCalls = {
  deploySingle: () => envelopeOf(buyer, invocation(factory, 'tw_new_single_release_escrow', deployment(singleEscrow))),
  deployMulti: () => envelopeOf(buyer, invocation(factory, 'tw_new_multi_release_escrow', deployment(multiEscrow))),
  fund: () => {
    const transfer = invocation(token, 'transfer', [address(buyer), address(escrowContract), i128(1_000_000_000n)]);
    return envelopeOf(buyer, call('fund_escrow', [address(buyer), singleEscrow, i128(1_000_000_000n)], [transfer]));
  },
  complete: () =>
    envelopeOf(seller, call('change_milestone_status', [u32(0), text('done'), xdr.ScVal.scvVoid(), address(seller)])),
  approve: () => envelopeOf(buyer, call('approve_milestone', [u32(0), address(buyer)])),
  release: () => envelopeOf(buyer, call('release_funds', [address(buyer), address(feeAddress)])),
  releaseMilestone: () => envelopeOf(buyer, call('release_milestone_funds', [address(buyer), address(feeAddress), u32(1)])),
  dispute: () => envelopeOf(buyer, call('dispute_escrow', [address(buyer)])),
  disputeMilestone: () => envelopeOf(buyer, call('dispute_milestone', [u32(1), address(buyer)])),
  resolve: () => envelopeOf(resolver, call('resolve_dispute', [address(resolver), address(feeAddress), shares])),
  resolveMilestone: () =>
    envelopeOf(resolver, call('resolve_milestone_dispute', [address(resolver), u32(1), address(feeAddress), shares])),
  withdraw: () => envelopeOf(resolver, call('withdraw_remaining_funds', [address(resolver), address(feeAddress), shares])),
  releaseWithoutFeeAddress: () => envelopeOf(buyer, call('release_funds', [address(buyer)])),
  releaseMilestoneWithoutFeeAddress: () => envelopeOf(buyer, call('release_milestone_funds', [address(buyer), u32(1)])),
} as const;
export type BuiltCall = keyof typeof builtCalls;

function envelopeOf(signer: string, root: xdr.SorobanAuthorizedInvocation): string {
  const operation = Operation.invokeHostFunction({
    func: xdr.HostFunction.hostFunctionTypeInvokeContract(root.function().contractFn()),
    auth: [
      new xdr.SorobanAuthorizationEntry({
        credentials: xdr.SorobanCredentials.sorobanCredentialsSourceAccount(),
        rootInvocation: root,
      }),
    ],
  });
  return new TransactionBuilder(new Account(signer, '7'), {
    // The builder adds the resource fee.
    fee: '50100',
    networkPassphrase: 'any network',
    timebounds: { minTime: 0, maxTime },
    sorobanData: new SorobanDataBuilder().setResourceFee(50_000).build(),
  })
    .addOperation(operation)
    .build()
    .toXDR();
}

type Below = readonly xdr.SorobanAuthorizedInvocation[];

function call(name: string, args: readonly xdr.ScVal[], below: Below = []): xdr.SorobanAuthorizedInvocation {
  return invocation(escrowContract, name, args, below);
}

function invocation(
  contractId: string,
  functionName: string,
  args: readonly xdr.ScVal[],
  below: Below = [],
): xdr.SorobanAuthorizedInvocation {
  const contractCall = new xdr.InvokeContractArgs({
    contractAddress: new Address(contractId).toScAddress(),
    functionName,
    args: [...args],
  });
  return new xdr.SorobanAuthorizedInvocation({
    function: xdr.SorobanAuthorizedFunction.sorobanAuthorizedFunctionTypeContractFn(contractCall),
    subInvocations: [...below],
  });
}
