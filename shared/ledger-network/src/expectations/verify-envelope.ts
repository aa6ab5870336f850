import { StrKey, type xdr } from '@stellar/stellar-sdk';
import { toEpochMs, type Instant } from '@holdfast/kernel/context';
import { parseEnvelope, type ParsedEnvelope } from '../envelopes/index.js';
import { compareAuthorization } from './compare-authorization.js';
import { compareInvocation } from './compare-invocation.js';
import { comparePayment } from './compare-payment.js';
import type { CallExpectation, Expectation } from './expectation.js';
import { compareText, type Mismatch } from './mismatch.js';

export type SigningLimits = {
  /** The current time. */
  readonly at: Instant;
  /** How long a transaction may be valid. */
  readonly validForMsMax: number;
};

/** The verified envelope is the value to sign, so that what is signed is what was verified. */
export type Verification =
  | { readonly status: 'verified'; readonly envelope: ParsedEnvelope }
  | { readonly status: 'refused'; readonly mismatch: Mismatch };

/**
 * Compares a transaction with the expected one, field by field. Only sequence number, fee, time bounds, the resources of a call and
 * the salt of a deployment are the builder's choice, within limits. Never throws, whatever the text contains.
 * See ADR 0053.
 */
export function verifyEnvelope(envelopeXdr: string, expectation: Expectation, limits: SigningLimits): Verification {
  const envelope = parseEnvelope(envelopeXdr, expectation.networkPassphrase);
  if (envelope === undefined) {
    const mismatch = { field: 'envelope', expected: 'a transaction of a plain account', found: 'an envelope of another form' };
    return { status: 'refused', mismatch };
  }
  const mismatch =
    compareTransaction(envelope, expectation, limits) ?? compareOperations(envelope.transaction.operations(), expectation);
  return mismatch === undefined ? { status: 'verified', envelope } : { status: 'refused', mismatch };
}

function compareTransaction(
  { transaction, sourceAccount, bytes, signaturesAt }: ParsedEnvelope,
  { signer, feeUnitsMax, ...expected }: Expectation,
  limits: SigningLimits,
): Mismatch | undefined {
  return (
    compareText('source', signer, sourceAccount) ??
    compareFee(transaction.fee(), feeUnitsMax) ??
    compareTimeBounds(transaction.cond(), limits) ??
    compareText(
      'memo',
      'payment' in expected ? `memoHash ${expected.payment.memoHash}` : 'memoNone',
      memoOf(transaction.memo()),
    ) ??
    compareText('resources', 'call' in expected ? 'present' : 'none', transaction.ext().switch() === 1 ? 'present' : 'none') ??
    compareText('signatures', '0', String(bytes.readUInt32BE(signaturesAt)))
  );
}

function memoOf(memo: xdr.Memo): string {
  const kind = memo.switch().name;
  return kind === 'memoHash' ? `${kind} ${memo.hash().toString('hex')}` : kind;
}

/** The fee of a contract call contains the fee for its resources. */
function compareFee(fee: number, feeUnitsMax: bigint): Mismatch | undefined {
  return BigInt(fee) <= feeUnitsMax ? undefined : { field: 'fee', expected: `at most ${feeUnitsMax}`, found: String(fee) };
}

const millisecondsPerSecond = 1_000n;

/** Other preconditions than time bounds are refused: they could delay a transaction, or require further signers. */
function compareTimeBounds(found: xdr.Preconditions, { at, validForMsMax }: SigningLimits): Mismatch | undefined {
  const kind = found.switch().name;
  if (kind !== 'precondTime') return { field: 'preconditions', expected: 'precondTime', found: kind };
  const nowMs = BigInt(toEpochMs(at));
  const minTime = found.timeBounds().minTime().toBigInt();
  const maxTime = found.timeBounds().maxTime().toBigInt();
  if (minTime * millisecondsPerSecond > nowMs)
    return { field: 'timeBounds.minTime', expected: `not after ${at}`, found: String(minTime) };
  const maxTimeMs = maxTime * millisecondsPerSecond;
  if (maxTimeMs <= nowMs || maxTimeMs > nowMs + BigInt(validForMsMax))
    return { field: 'timeBounds.maxTime', expected: `at most ${validForMsMax} ms after ${at}`, found: String(maxTime) };
  return undefined;
}

function compareOperations(operations: readonly xdr.Operation[], expectation: Expectation): Mismatch | undefined {
  const [only] = operations;
  if (only === undefined || operations.length > 1)
    return { field: 'operations.length', expected: '1', found: String(operations.length) };
  return (
    compareText('operation.source', expectation.signer, sourceOf(only) ?? expectation.signer) ??
    ('payment' in expectation ? comparePayment(only, expectation) : compareCall(only, expectation))
  );
}

/** An operation without a source uses the source of the transaction. */
function sourceOf(operation: xdr.Operation): string | undefined {
  const source = operation.sourceAccount() ?? undefined;
  if (source === undefined) return undefined;
  return source.switch().name === 'keyTypeEd25519' ? StrKey.encodeEd25519PublicKey(source.ed25519()) : 'a muxed account';
}

function compareCall(operation: xdr.Operation, expectation: CallExpectation): Mismatch | undefined {
  return (
    compareText('operation.type', 'invokeHostFunction', operation.body().switch().name) ??
    compareHostFunction(operation.body().invokeHostFunctionOp(), expectation)
  );
}

function compareHostFunction(operation: xdr.InvokeHostFunctionOp, expectation: CallExpectation): Mismatch | undefined {
  const hostFunction = operation.hostFunction();
  return (
    compareText('operation.hostFunction', 'hostFunctionTypeInvokeContract', hostFunction.switch().name) ??
    compareInvocation('call', expectation.call, hostFunction.invokeContract()) ??
    compareAuthorization(expectation, operation)
  );
}
