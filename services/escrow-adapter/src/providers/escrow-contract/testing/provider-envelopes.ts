import {
  Account,
  Address,
  Keypair,
  nativeToScVal,
  Operation as SdkOperation,
  SorobanDataBuilder,
  TransactionBuilder,
  xdr,
  type Memo,
} from '@stellar/stellar-sdk';
import {
  addresses,
  channel,
  contractId,
  factory,
  feeAddress,
  networkPassphrase,
  nowSeconds,
  token,
  wasmHash,
  type SigningCase,
} from './parties.js';

/*
 * Envelopes as the provider builds them, written value by value from the published interface of its contracts and from recorded
 * transactions. Nothing of the verification is used here, so that an error in one of the two is noticed.
 */

export const account = (id: string): xdr.ScVal => new Address(id).toScVal();
export const i128 = (units: bigint): xdr.ScVal => nativeToScVal(units, { type: 'i128' });
export const u32 = (value: number): xdr.ScVal => xdr.ScVal.scvU32(value);
const text = (content: string | Buffer): xdr.ScVal => xdr.ScVal.scvString(content);
const symbol = (name: string): xdr.ScVal => xdr.ScVal.scvSymbol(name);
export const bytes = (content: Buffer): xdr.ScVal => xdr.ScVal.scvBytes(content);
export const vec = (items: readonly xdr.ScVal[]): xdr.ScVal => xdr.ScVal.scvVec([...items]);
const bool = (value: boolean): xdr.ScVal => xdr.ScVal.scvBool(value);

/** The entries in the given order; the network wants them in the order of their keys. */
function struct(fields: Readonly<Record<string, xdr.ScVal>>): xdr.ScVal {
  return map(Object.entries(fields).map(([key, val]) => ({ key: symbol(key), val })));
}

function map(entries: readonly { readonly key: xdr.ScVal; readonly val: xdr.ScVal }[]): xdr.ScVal {
  return xdr.ScVal.scvMap(entries.map((entry) => new xdr.ScMapEntry(entry)));
}

const flags = { disputed: bool(false), released: bool(false), resolved: bool(false) };
const { buyer, seller, platform } = addresses;

export function singleEscrow(changes: Readonly<Record<string, xdr.ScVal>> = {}): xdr.ScVal {
  const milestone = (description: string): xdr.ScVal =>
    struct({ approved: bool(false), description: text(description), evidence: text(''), status: text('pending') });
  return struct({
    amount: i128(1_000_000_000n),
    description: text('Drafts and the final logo für Zoë'),
    engagement_id: text('ord_1'),
    flags: struct(flags),
    milestones: vec([milestone('Drafts'), milestone('Logo')]),
    platform_fee: u32(500),
    receiver_memo: u32(0),
    roles: roles({ receiver: account(seller) }),
    title: text('A logo'),
    trustline: struct({ address: account(token) }),
    ...changes,
  });
}

/** The receiver stands between the platform and the release signer. */
export function roles({ receiver }: { readonly receiver?: xdr.ScVal } = {}): xdr.ScVal {
  return struct({
    approver: account(buyer),
    dispute_resolver: account(platform),
    platform: account(platform),
    ...(receiver === undefined ? {} : { receiver }),
    release_signer: account(buyer),
    service_provider: account(seller),
  });
}

export function multiMilestone(description: string, units: bigint, receiver = seller): xdr.ScVal {
  return struct({
    amount: i128(units),
    description: text(description),
    evidence: text(''),
    flags: struct({ approved: bool(false), ...flags }),
    receiver: account(receiver),
    status: text('pending'),
  });
}

export function multiEscrow(changes: Readonly<Record<string, xdr.ScVal>> = {}): xdr.ScVal {
  return struct({
    description: text('Drafts and the final logo für Zoë'),
    engagement_id: text('ord_1'),
    milestones: vec([multiMilestone('Drafts', 400_000_000n), multiMilestone('Logo', 600_000_000n)]),
    platform_fee: u32(500),
    receiver_memo: u32(0),
    roles: roles(),
    title: text('A logo'),
    trustline: struct({ address: account(token) }),
    ...changes,
  });
}

/** A map of amounts, sorted by the bytes of the addresses. */
export function distributions(amounts: readonly (readonly [address: string, units: bigint])[]): xdr.ScVal {
  const rawKey = (id: string): Buffer => Keypair.fromPublicKey(id).rawPublicKey();
  const sorted = amounts.toSorted(([one], [other]) => Buffer.compare(rawKey(one), rawKey(other)));
  return map(sorted.map(([id, units]) => ({ key: account(id), val: i128(units) })));
}

export type Invocation = {
  readonly contract: string;
  readonly function: string | Buffer;
  readonly args: readonly xdr.ScVal[];
  readonly below?: readonly Invocation[];
};

/** A transaction with one contract call; `change` properties falsify it. */
export type Envelope = {
  readonly source: string;
  readonly call: Invocation;
  /** What the envelope authorizes; without it the call itself. */
  readonly auth?: readonly xdr.SorobanAuthorizationEntry[];
  readonly operationSource?: string;
  readonly extraOperations?: readonly xdr.Operation[];
  readonly bid?: string;
  readonly resourceFee?: string;
  readonly minTime?: number;
  readonly maxTime?: number;
  readonly memo?: Memo;
};

export const salt = Buffer.alloc(32, 9);

/** The honest transaction of a case. */
export function providerEnvelope(signingCase: SigningCase): Envelope {
  const call = providerCall(signingCase);
  const { operation } = signingCase;
  if (operation === 'deploy') return { source: buyer, call, bid: '1000' };
  if (operation === 'fund') return { source: channel, call };
  if (operation === 'complete') return { source: seller, call };
  return { source: operation === 'resolve' || operation === 'withdrawRemaining' ? platform : buyer, call };
}

function providerCall(signingCase: SigningCase): Invocation {
  return signingCase.type === 'single-release' ? singleCall(signingCase) : multiCall(signingCase);
}

function singleCall({ variant, operation }: SigningCase): Invocation {
  const fee = variant === 'v1' ? [account(feeAddress)] : [];
  switch (operation) {
    case 'deploy':
      return deployment('tw_new_single_release_escrow', singleEscrow());
    case 'fund':
      return funding(singleEscrow());
    case 'complete':
    case 'approve':
      return preparation(operation);
    case 'release':
      return onContract('release_funds', [account(buyer), ...fee]);
    case 'dispute':
      return onContract('dispute_escrow', [account(buyer)]);
    case 'resolve':
      return onContract('resolve_dispute', [account(platform), ...fee, decided()]);
    case 'withdrawRemaining':
      return onContract('withdraw_remaining_funds', [account(platform), ...fee, rest()]);
  }
}

function multiCall({ variant, operation }: SigningCase): Invocation {
  const fee = variant === 'v1' ? [account(feeAddress)] : [];
  switch (operation) {
    case 'deploy':
      return deployment('tw_new_multi_release_escrow', multiEscrow());
    case 'fund':
      return funding(multiEscrow());
    case 'complete':
    case 'approve':
      return preparation(operation);
    case 'release':
      return onContract('release_milestone_funds', [account(buyer), ...fee, u32(1)]);
    case 'dispute':
      return onContract('dispute_milestone', [u32(1), account(buyer)]);
    case 'resolve':
      return onContract('resolve_milestone_dispute', [account(platform), u32(1), ...fee, decided()]);
    case 'withdrawRemaining':
      return onContract('withdraw_remaining_funds', [account(platform), ...fee, rest()]);
  }
}

function onContract(name: string, args: readonly xdr.ScVal[]): Invocation {
  return { contract: contractId, function: name, args };
}

function deployment(name: string, escrow: xdr.ScVal): Invocation {
  const hash = bytes(Buffer.from(wasmHash, 'hex'));
  const args = [account(buyer), hash, bytes(salt), symbol('initialize_escrow'), vec([escrow]), vec([])];
  return { contract: factory, function: name, args };
}

function funding(escrow: xdr.ScVal): Invocation {
  const call = onContract('fund_escrow', [account(channel), escrow, i128(1_000_000_000n)]);
  return { ...call, below: [transfer(contractId, 1_000_000_000n)] };
}

export function transfer(to: string, units: bigint): Invocation {
  return { contract: token, function: 'transfer', args: [account(channel), account(to), i128(units)] };
}

function preparation(operation: 'complete' | 'approve'): Invocation {
  if (operation === 'approve') return onContract('approve_milestone', [u32(1), account(buyer)]);
  const args = [u32(1), text('COMPLETED'), xdr.ScVal.scvVoid(), account(seller)];
  return onContract('change_milestone_status', args);
}

function rest(): xdr.ScVal {
  return distributions([[platform, 50_000_000n]]);
}

function decided(): xdr.ScVal {
  return distributions([
    [seller, 250_000_000n],
    [buyer, 350_000_000n],
  ]);
}

function invokeArgs({ contract, function: functionName, args }: Invocation): xdr.InvokeContractArgs {
  return new xdr.InvokeContractArgs({ contractAddress: new Address(contract).toScAddress(), functionName, args: [...args] });
}

function authorized(invocation: Invocation): xdr.SorobanAuthorizedInvocation {
  return new xdr.SorobanAuthorizedInvocation({
    function: xdr.SorobanAuthorizedFunction.sorobanAuthorizedFunctionTypeContractFn(invokeArgs(invocation)),
    subInvocations: (invocation.below ?? []).map(authorized),
  });
}

export function authOf(
  invocation: Invocation,
  credentials = xdr.SorobanCredentials.sorobanCredentialsSourceAccount(),
): xdr.SorobanAuthorizationEntry {
  return new xdr.SorobanAuthorizationEntry({ credentials, rootInvocation: authorized(invocation) });
}

/** As recorded: minTime 0, a maxTime and no memo. The inclusion bid is about as high as the resource fee; for a deployment it is 1,000. */
export function toXdr(envelope: Envelope): string {
  const { source, call, memo, operationSource, extraOperations = [] } = envelope;
  const { bid = '500100', resourceFee = '500000', minTime = 0, maxTime = nowSeconds + 30 } = envelope;
  const builder = new TransactionBuilder(new Account(source, '41'), {
    fee: bid,
    networkPassphrase,
    timebounds: { minTime, maxTime },
  });
  const func = xdr.HostFunction.hostFunctionTypeInvokeContract(invokeArgs(call));
  const auth = [...(envelope.auth ?? [authOf(call)])];
  const operation = { func, auth, ...(operationSource === undefined ? {} : { source: operationSource }) };
  builder.addOperation(SdkOperation.invokeHostFunction(operation));
  for (const extra of extraOperations) builder.addOperation(extra);
  if (memo !== undefined) builder.addMemo(memo);
  builder.setSorobanData(new SorobanDataBuilder().setResourceFee(resourceFee).build());
  return builder.build().toXDR();
}
