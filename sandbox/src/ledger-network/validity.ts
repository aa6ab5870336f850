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

/** The transaction is not valid: it leaves no trace, and could be sent again. */
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
/** What a contract call costs, resources and all. */
export const contractCallFeeUnits = 10_000n;

/** A contract call pays for what it uses; everything else a fixed fee an operation, however much was offered. */
export function feeOf(transaction: SubmittedTransaction): bigint {
  if (transaction.operations.some(({ kind }) => kind === 'contract_call')) return contractCallFeeUnits;
  return feeUnitsPerOperation * BigInt(transaction.operations.length);
}

type ValidityContext = {
  readonly account: Account | undefined;
  /** When the ledger closes that it would be in, in seconds. */
  readonly closeTime: number;
  readonly verify: Verifier;
};

/** Everything a transaction must be before it may cost anything, in the network's own order. */
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
  const untimely = shapeCode(transaction) ?? timeCode(transaction, closeTime);
  if (untimely !== undefined) return untimely;
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

/** Every account that acts has signed, and nobody else has. */
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
