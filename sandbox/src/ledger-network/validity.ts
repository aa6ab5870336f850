import { availableUnits, type Account } from '../domain/account.js';
import type { Verifier } from './keys.js';
import type { SubmittedFeeBump, SubmittedOperation, SubmittedTransaction } from './submitted-transaction.js';

export const transactionCodes = [
  'tx_missing_operation',
  'tx_malformed',
  'tx_too_early',
  'tx_too_late',
  'tx_insufficient_fee',
  'tx_no_source_account',
  'tx_bad_seq',
  'tx_bad_auth',
  'tx_bad_auth_extra',
  'tx_insufficient_balance',
] as const;
export type TransactionCode = (typeof transactionCodes)[number];

/** The transaction is invalid: it does not land, costs nothing and can be submitted again. */
export class InvalidTransaction extends Error {
  readonly code: TransactionCode;
  readonly feeUnits: bigint;
  /** The hash of the invalid transaction where it is inside a fee bump that is valid itself. */
  readonly innerHash: string | undefined;

  constructor(code: TransactionCode, feeUnits: bigint, innerHash?: string) {
    super(code);
    this.name = 'InvalidTransaction';
    this.code = code;
    this.feeUnits = feeUnits;
    this.innerHash = innerHash;
  }
}

export const feeUnitsPerOperation = 100n;

/** What the transaction is charged in a ledger whose lowest bid is this one. The default is the lowest fee of all. */
export function feeOf(transaction: SubmittedTransaction, bidUnits = feeUnitsPerOperation): bigint {
  return (transaction.resourceFeeUnits ?? 0n) + bidUnits * bidOf(transaction).operations;
}

export function bidsAtLeast(transaction: SubmittedTransaction, bidUnits: bigint): boolean {
  const { units, operations } = bidOf(transaction);
  return units >= bidUnits * operations;
}

const replacementFactor = 10n;

/** The lowest maximum fee with which a fee bump replaces a pending transaction: ten times its bid. */
export function replacementFee(pending: SubmittedTransaction, feeBump: SubmittedTransaction): bigint {
  const [old, { operations }] = [bidOf(pending), bidOf(feeBump)];
  const bid = (replacementFactor * old.units * operations + old.operations - 1n) / old.operations;
  return (feeBump.resourceFeeUnits ?? 0n) + bid;
}

/** What a transaction offers for its place in a ledger, and the number of operations that it offers it for. */
type Bid = { readonly units: bigint; readonly operations: bigint };

/** A fee bump counts as one more operation. */
function bidOf(transaction: SubmittedTransaction): Bid {
  const { feeBump, resourceFeeUnits = 0n, operations } = transaction;
  if (feeBump === undefined) return ownBid(transaction);
  return { units: feeBump.feeMaxUnits - resourceFeeUnits, operations: BigInt(operations.length) + 1n };
}

/** The bid of the transaction itself, which may be nothing inside a fee bump. */
function ownBid({ feeMaxUnits, resourceFeeUnits = 0n, operations }: SubmittedTransaction): Bid {
  return { units: feeMaxUnits - resourceFeeUnits, operations: BigInt(operations.length) };
}

type ValidityContext = {
  readonly accountOf: (id: string) => Account | undefined;
  /** The close time of the next ledger, in seconds. */
  readonly closeTime: number;
  readonly verify: Verifier;
};

/** The checks before a transaction is charged, in the order of the real network. */
export function requireValid(transaction: SubmittedTransaction, context: ValidityContext): void {
  const { feeBump } = transaction;
  const feeBumpCode = feeBump === undefined ? undefined : feeBumpCodeOf(transaction, feeBump, context);
  if (feeBumpCode !== undefined) throw new InvalidTransaction(feeBumpCode, feeOf(transaction));
  const code = transactionCodeOf(transaction, context);
  if (code === undefined) return;
  throw new InvalidTransaction(code, feeOf(transaction), feeBump === undefined ? undefined : transaction.hash);
}

function feeBumpCodeOf(
  transaction: SubmittedTransaction,
  feeBump: SubmittedFeeBump,
  { accountOf, verify }: ValidityContext,
): TransactionCode | undefined {
  const [fee, outer, inner] = [feeOf(transaction), bidOf(transaction), ownBid(transaction)];
  if (feeBump.feeMaxUnits < fee) return 'tx_insufficient_fee';
  if (outer.units * inner.operations < inner.units * outer.operations) return 'tx_insufficient_fee';
  const account = accountOf(feeBump.source);
  if (account === undefined) return 'tx_no_source_account';
  return signatureCode([feeBump.source], feeBump, verify) ?? balanceCode(account, feeBump.feeMaxUnits);
}

/** Inside a fee bump the transaction pays no fee itself. */
function transactionCodeOf(
  transaction: SubmittedTransaction,
  { accountOf, closeTime, verify }: ValidityContext,
): TransactionCode | undefined {
  const earlyCode = shapeCode(transaction) ?? timeCode(transaction, closeTime);
  if (earlyCode !== undefined) return earlyCode;
  const fee = transaction.feeBump === undefined ? feeOf(transaction) : 0n;
  if (transaction.feeMaxUnits < fee) return 'tx_insufficient_fee';
  const account = accountOf(transaction.source);
  if (account === undefined) return 'tx_no_source_account';
  if (transaction.sequence !== account.sequence + 1n) return 'tx_bad_seq';
  const signers = new Set([transaction.source, ...transaction.operations.map(({ source }) => source)]);
  const feeMax = transaction.feeBump === undefined ? transaction.feeMaxUnits : 0n;
  return signatureCode(signers, transaction, verify) ?? balanceCode(account, feeMax);
}

/** An account must be able to pay what it offers, without its reserve. */
function balanceCode(account: Account, feeMaxUnits: bigint): TransactionCode | undefined {
  return availableUnits(account) < feeMaxUnits ? 'tx_insufficient_balance' : undefined;
}

const kindsWithResources: readonly SubmittedOperation['kind'][] = ['contract_call', 'extend_footprint_ttl', 'restore_footprint'];

/** A transaction with a contract call has no other operation; it has data about its resources, and no other transaction has. */
function shapeCode({ operations, resourceFeeUnits }: SubmittedTransaction): TransactionCode | undefined {
  if (operations.length === 0) return 'tx_missing_operation';
  const hasCall = operations.some(({ kind }) => kindsWithResources.includes(kind));
  const isMixed = operations.length > 1 && hasCall;
  return isMixed || hasCall === (resourceFeeUnits === undefined) ? 'tx_malformed' : undefined;
}

function timeCode({ validAfter, validBefore }: SubmittedTransaction, closeTime: number): TransactionCode | undefined {
  if (closeTime < validAfter) return 'tx_too_early';
  return validBefore > 0 && closeTime > validBefore ? 'tx_too_late' : undefined;
}

type Signed = Pick<SubmittedTransaction, 'hashBytes' | 'signatures'>;

/** Every source account must have signed, without further signatures. */
function signatureCode(
  signers: Iterable<string>,
  { hashBytes, signatures }: Signed,
  verify: Verifier,
): TransactionCode | undefined {
  const unused = new Set(signatures);
  for (const signer of signers) {
    const found = [...unused].find((signature) => verify(signer, hashBytes, signature));
    if (found === undefined) return 'tx_bad_auth';
    unused.delete(found);
  }
  return unused.size > 0 ? 'tx_bad_auth_extra' : undefined;
}
