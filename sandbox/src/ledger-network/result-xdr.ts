import { xdr } from '@stellar/stellar-sdk';
import { LRUCache } from 'lru-cache';
import type { LandedOperation, LandedTransaction } from '../store/records.js';
import type { TransactionCode } from './validity.js';

type Kind = LandedOperation['kind'];

const { CreateAccountResult, PaymentResult, ChangeTrustResult, InvokeHostFunctionResult, OperationResultTr } = xdr;

const successes: Readonly<Record<Kind, () => xdr.OperationResultTr>> = {
  create_account: () => OperationResultTr.createAccount(CreateAccountResult.createAccountSuccess()),
  payment: () => OperationResultTr.payment(PaymentResult.paymentSuccess()),
  change_trust: () => OperationResultTr.changeTrust(ChangeTrustResult.changeTrustSuccess()),
  contract_call: () => OperationResultTr.invokeHostFunction(InvokeHostFunctionResult.invokeHostFunctionSuccess(Buffer.alloc(32))),
};

const failures: Readonly<Record<string, () => xdr.OperationResultTr>> = {
  'create_account op_malformed': () => OperationResultTr.createAccount(CreateAccountResult.createAccountMalformed()),
  'create_account op_underfunded': () => OperationResultTr.createAccount(CreateAccountResult.createAccountUnderfunded()),
  'create_account op_low_reserve': () => OperationResultTr.createAccount(CreateAccountResult.createAccountLowReserve()),
  'create_account op_already_exists': () => OperationResultTr.createAccount(CreateAccountResult.createAccountAlreadyExist()),
  'payment op_malformed': () => OperationResultTr.payment(PaymentResult.paymentMalformed()),
  'payment op_underfunded': () => OperationResultTr.payment(PaymentResult.paymentUnderfunded()),
  'payment op_src_no_trust': () => OperationResultTr.payment(PaymentResult.paymentSrcNoTrust()),
  'payment op_no_destination': () => OperationResultTr.payment(PaymentResult.paymentNoDestination()),
  'payment op_no_trust': () => OperationResultTr.payment(PaymentResult.paymentNoTrust()),
  'payment op_line_full': () => OperationResultTr.payment(PaymentResult.paymentLineFull()),
  'payment op_no_issuer': () => OperationResultTr.payment(PaymentResult.paymentNoIssuer()),
  'change_trust op_malformed': () => OperationResultTr.changeTrust(ChangeTrustResult.changeTrustMalformed()),
  'change_trust op_no_issuer': () => OperationResultTr.changeTrust(ChangeTrustResult.changeTrustNoIssuer()),
  'change_trust op_invalid_limit': () => OperationResultTr.changeTrust(ChangeTrustResult.changeTrustInvalidLimit()),
  'change_trust op_low_reserve': () => OperationResultTr.changeTrust(ChangeTrustResult.changeTrustLowReserve()),
  'change_trust op_self_not_allowed': () => OperationResultTr.changeTrust(ChangeTrustResult.changeTrustSelfNotAllowed()),
  'contract_call function_trapped': () =>
    OperationResultTr.invokeHostFunction(InvokeHostFunctionResult.invokeHostFunctionTrapped()),
};

const invalidities: Readonly<Record<TransactionCode, () => xdr.TransactionResultResult>> = {
  tx_missing_operation: () => xdr.TransactionResultResult.txMissingOperation(),
  tx_soroban_invalid: () => xdr.TransactionResultResult.txSorobanInvalid(),
  tx_too_early: () => xdr.TransactionResultResult.txTooEarly(),
  tx_too_late: () => xdr.TransactionResultResult.txTooLate(),
  tx_insufficient_fee: () => xdr.TransactionResultResult.txInsufficientFee(),
  tx_no_source_account: () => xdr.TransactionResultResult.txNoAccount(),
  tx_bad_seq: () => xdr.TransactionResultResult.txBadSeq(),
  tx_bad_auth: () => xdr.TransactionResultResult.txBadAuth(),
  tx_bad_auth_extra: () => xdr.TransactionResultResult.txBadAuthExtra(),
  tx_insufficient_balance: () => xdr.TransactionResultResult.txInsufficientBalance(),
};

const resultsMax = 1_000;
/** There are few different results, so their encodings are cached. */
const results = new LRUCache<string, string>({ max: resultsMax });

function once(key: string, make: () => string): string {
  const known = results.get(key);
  if (known !== undefined) return known;
  const made = make();
  results.set(key, made);
  return made;
}

export function successResultXdr({ operations, feeChargedUnits }: LandedTransaction): string {
  return once(`${feeChargedUnits} ${operations.map(({ kind }) => kind).join()}`, () =>
    resultXdr(feeChargedUnits, xdr.TransactionResultResult.txSuccess(operations.map(({ kind }) => succeeded(kind)))),
  );
}

export function failedResultXdr({ operations, feeChargedUnits, failure }: LandedTransaction): string {
  const results = (failure?.operationCodes ?? []).map((code, index) => {
    const kind = operations[index]?.kind ?? 'payment';
    if (code === 'op_success') return succeeded(kind);
    const inner = failures[`${kind} ${code}`];
    return inner === undefined ? xdr.OperationResult.opNoAccount() : xdr.OperationResult.opInner(inner());
  });
  return resultXdr(feeChargedUnits, xdr.TransactionResultResult.txFailed(results));
}

export function invalidResultXdr(code: TransactionCode, feeUnits: bigint): string {
  return once(`${feeUnits} ${code}`, () => resultXdr(feeUnits, invalidities[code]()));
}

function succeeded(kind: Kind): xdr.OperationResult {
  return xdr.OperationResult.opInner(successes[kind]());
}

function resultXdr(feeUnits: bigint, result: xdr.TransactionResultResult): string {
  const feeCharged = xdr.Int64.fromString(feeUnits.toString());
  return new xdr.TransactionResult({ feeCharged, result, ext: new xdr.TransactionResultExt(0) }).toXDR('base64');
}
