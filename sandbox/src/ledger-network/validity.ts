import type { Account } from '../domain/account.js';
import type { Verifier } from './keys.js';
import type { SubmittedTransaction } from './submitted-transaction.js';

export const transactionCodes = [
  'tx_missing_operation',
  'tx_soroban_invalid',
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

  constructor(code: TransactionCode, feeUnits: bigint) {
    super(code);
    this.name = 'InvalidTransaction';
    this.code = code;
    this.feeUnits = feeUnits;
  }
}

export const feeUnitsPerOperation = 100n;
/** The fee of a contract call, resources included. */
export const contractCallFeeUnits = 10_000n;

/** A contract call has a fixed fee; other transactions have one per operation, whatever maximum they offer. */
export function feeOf(transaction: SubmittedTransaction): bigint {
  if (transaction.operations.some(({ kind }) => kind === 'contract_call')) return contractCallFeeUnits;
  return feeUnitsPerOperation * BigInt(transaction.operations.length);
}

type ValidityContext = {
  readonly account: Account | undefined;
  /** The close time of the next ledger, in seconds. */
  readonly closeTime: number;
  readonly verify: Verifier;
};

/** The checks before a transaction is charged, in the order of the real network. */
export function requireValid(transaction: SubmittedTransaction, context: ValidityContext): Account {
  const fee = feeOf(transaction);
  const code = invalidCodeOf(transaction, context, fee);
  const { account } = context;
  if (code !== undefined || account === undefined) throw new InvalidTransaction(code ?? 'tx_no_source_account', fee);
  return account;
}

function invalidCodeOf(
  transaction: SubmittedTransaction,
  { account, closeTime, verify }: ValidityContext,
  fee: bigint,
): TransactionCode | undefined {
  const earlyCode = shapeCode(transaction) ?? timeCode(transaction, closeTime);
  if (earlyCode !== undefined) return earlyCode;
  if (transaction.feeMaxUnits < fee) return 'tx_insufficient_fee';
  if (account === undefined) return 'tx_no_source_account';
  if (transaction.sequence !== account.sequence + 1n) return 'tx_bad_seq';
  return signatureCode(transaction, verify) ?? (account.nativeUnits < fee ? 'tx_insufficient_balance' : undefined);
}

function shapeCode({ operations }: SubmittedTransaction): TransactionCode | undefined {
  if (operations.length === 0) return 'tx_missing_operation';
  const isMixed = operations.length > 1 && operations.some(({ kind }) => kind === 'contract_call');
  return isMixed ? 'tx_soroban_invalid' : undefined;
}

function timeCode({ minTime, maxTime }: SubmittedTransaction, closeTime: number): TransactionCode | undefined {
  if (closeTime < minTime) return 'tx_too_early';
  return maxTime > 0 && closeTime > maxTime ? 'tx_too_late' : undefined;
}

/** Every source account must have signed, without further signatures. */
function signatureCode(transaction: SubmittedTransaction, verify: Verifier): TransactionCode | undefined {
  const { source, operations, signatures, hashBytes } = transaction;
  const unused = new Set(signatures);
  for (const signer of new Set([source, ...operations.map((operation) => operation.source)])) {
    const found = [...unused].find((signature) => verify(signer, hashBytes, signature));
    if (found === undefined) return 'tx_bad_auth';
    unused.delete(found);
  }
  return unused.size > 0 ? 'tx_bad_auth_extra' : undefined;
}
