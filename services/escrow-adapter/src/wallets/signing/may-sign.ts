import { Operation, StrKey, type xdr } from '@stellar/stellar-sdk';
import type { ParsedEnvelope } from '../../transactions/envelope.js';
import type { SignedOperation } from '../ports.js';

/** The kind of account that signs: a user's wallet, the platform, the treasury itself or one of its channels. */
export type SignerKind = 'user' | 'platform' | 'treasury' | 'channel';

/** The role may not sign this envelope for this operation. Nothing was signed, and no key was opened. */
class SignatureRefused extends Error {
  constructor(reason: string) {
    super(`The signature was refused: ${reason}.`);
    this.name = 'SignatureRefused';
  }
}

export type SignatureRequest = {
  readonly kind: SignerKind;
  readonly operation: SignedOperation;
  readonly address: string;
  readonly treasuryAddress: string;
};

/** The contract functions of each operation, and the kinds of signers that may call them. */
const contractOperations = {
  deploy: { functions: ['deploy_escrow', 'tw_new_single_release_escrow', 'tw_new_multi_release_escrow'], by: ['user'] },
  fund: { functions: ['fund_escrow'], by: ['channel', 'user'] },
  complete: { functions: ['change_milestone_status'], by: ['user'] },
  approve: { functions: ['approve_milestone'], by: ['user'] },
  release: { functions: ['release_funds', 'release_milestone_funds'], by: ['user'] },
  dispute: { functions: ['dispute_escrow', 'dispute_milestone'], by: ['user'] },
  resolve: { functions: ['resolve_dispute', 'resolve_milestone_dispute', 'withdraw_remaining_funds'], by: ['platform'] },
} as const satisfies Partial<
  Record<SignedOperation, { readonly functions: readonly string[]; readonly by: readonly SignerKind[] }>
>;

/** The provider builds the transactions, so their fee is limited. */
const feeUnitsMax = 100_000_000n;

/** Refuses envelopes that no role may sign. */
export function assertSignable({ transaction, validUntil, ...envelope }: ParsedEnvelope, networkPassphrase: string): void {
  if (envelope.networkPassphrase !== networkPassphrase) throw new SignatureRefused('it is for another network');
  if (BigInt(transaction.fee()) > feeUnitsMax) throw new SignatureRefused('the fee is too high');
  if (validUntil === undefined) throw new SignatureRefused('it has no upper time bound');
}

/** Refuses every envelope except those that the role may sign for this operation. */
export function assertMaySign(envelope: ParsedEnvelope, request: SignatureRequest): void {
  const { operation } = request;
  if (isContractOperation(operation)) assertContractCall(envelope, operation, request);
  else if (operation === 'withdraw') assertPayout(envelope, request);
  else assertTreasuryPart(envelope, operation, request);
}

function isContractOperation(operation: SignedOperation): operation is keyof typeof contractOperations {
  return operation in contractOperations;
}

function assertContractCall(
  { transaction, sourceAccount }: ParsedEnvelope,
  operation: keyof typeof contractOperations,
  { kind, address }: SignatureRequest,
): void {
  const { functions, by } = contractOperations[operation];
  if (!by.some((allowed) => allowed === kind)) throw new SignatureRefused(`${kind} does not sign for ${operation}`);
  if (sourceAccount !== address) throw new SignatureRefused("its source is not the signer's account");
  const [only, ...others] = transaction.operations();
  if (only?.body().switch().name !== 'invokeHostFunction' || others.length > 0)
    throw new SignatureRefused('it is not one contract call');
  if (!isFrom(only, address)) throw new SignatureRefused('the call has another source');
  const call = only.body().invokeHostFunctionOp();
  const { name, caller } = calledBy(call.hostFunction());
  if (!functions.some((known) => known === name)) throw new SignatureRefused(`${name} is not ${operation}`);
  if (caller !== address) throw new SignatureRefused('the caller is not the signer');
  assertAuthorization(call.auth(), name, operation);
}

/** An operation without a source uses the transaction's, which was checked to be the signer. */
function isFrom(operation: xdr.Operation, address: string): boolean {
  const source = operation.sourceAccount() ?? undefined;
  if (source === undefined) return true;
  return source.switch().name === 'keyTypeEd25519' && StrKey.encodeEd25519PublicKey(source.ed25519()) === address;
}

function calledBy(func: xdr.HostFunction): { readonly name: string; readonly caller: string } {
  if (func.switch().name !== 'hostFunctionTypeInvokeContract') throw new SignatureRefused('it calls no function of a contract');
  const invocation = func.invokeContract();
  const [first] = invocation.args();
  const caller = first?.switch().name === 'scvAddress' ? accountAt(first.address()) : '';
  return { name: invocation.functionName().toString(), caller };
}

/** Faster than the SDK's `Address.fromScAddress`, which encodes the address and then validates the text again. */
function accountAt(address: xdr.ScAddress): string {
  return address.switch().name === 'scAddressTypeAccount' ? StrKey.encodeEd25519PublicKey(address.accountId().ed25519()) : '';
}

/** The source's signature also authorizes sub-invocations of the contract; only a funding needs one, to transfer tokens. */
function assertAuthorization(auth: readonly xdr.SorobanAuthorizationEntry[], name: string, operation: SignedOperation): void {
  for (const entry of auth) {
    const root = entry.rootInvocation();
    const authorized = root.function();
    const isCall = authorized.switch().name === 'sorobanAuthorizedFunctionTypeContractFn';
    if (!isCall || authorized.contractFn().functionName().toString() !== name)
      throw new SignatureRefused('it authorizes another function');
    if (operation !== 'fund' && root.subInvocations().length > 0)
      throw new SignatureRefused('it authorizes more than the call needs');
  }
}

const payoutSigners: readonly SignerKind[] = ['channel', 'user'];
const payoutOperations: readonly string[] = ['payment', 'createAccount'];

/** A withdrawal is one payment of the signer's own account; that it is the requested one is checked before. */
function assertPayout({ transaction, sourceAccount }: ParsedEnvelope, { kind, address }: SignatureRequest): void {
  if (!payoutSigners.includes(kind)) throw new SignatureRefused(`${kind} does not sign for withdraw`);
  if (sourceAccount !== address) throw new SignatureRefused("its source is not the signer's account");
  const [only, ...others] = transaction.operations();
  if (only === undefined || others.length > 0 || !payoutOperations.includes(only.body().switch().name))
    throw new SignatureRefused('it is not one payment');
  if (!isFrom(only, address)) throw new SignatureRefused('the payment has another source');
}

/** Transactions without a contract call are built by the treasury; a wallet signs them for its own operations. */
function assertTreasuryPart(envelope: ParsedEnvelope, operation: SignedOperation, request: SignatureRequest): void {
  const { kind, address, treasuryAddress } = request;
  if (kind === 'treasury' && envelope.sourceAccount === address) return;
  if (envelope.sourceAccount !== treasuryAddress) throw new SignatureRefused('it was not built by the treasury');
  const own = operationsOf(envelope.transaction, address);
  if (own.length === 0) throw new SignatureRefused('it has no operation of the signer');
  const isAllowed = operation === 'activate' ? isTrust : (each: Operation) => isPaymentTo(each, treasuryAddress);
  if (!own.every(isAllowed)) throw new SignatureRefused(`it does more than ${operation}`);
}

/** The operations whose source is the account, including its muxed addresses. */
function operationsOf(transaction: xdr.Transaction, address: string): readonly Operation[] {
  const key = StrKey.decodeEd25519PublicKey(address);
  const isOwn = (source: xdr.MuxedAccount): boolean =>
    (source.switch().name === 'keyTypeEd25519' ? source.ed25519() : source.med25519().ed25519()).equals(key);
  return transaction.operations().flatMap((operation) => {
    const source = operation.sourceAccount() ?? undefined;
    return source !== undefined && isOwn(source) ? [Operation.fromXDRObject(operation)] : [];
  });
}

function isTrust({ type }: Operation): boolean {
  return type === 'changeTrust';
}

function isPaymentTo(operation: Operation, address: string): boolean {
  return operation.type === 'payment' && operation.destination === address;
}
