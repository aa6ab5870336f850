import { xdr } from '@stellar/stellar-sdk';
import type { LandedTransaction } from '../store/records.js';
import { failedOperation, succeededOperation } from './operation-results.js';
import type { InvalidTransaction, TransactionCode } from './validity.js';

/** The constructors of both XDR types of results, which have the same names. */
const invalidities = {
  tx_missing_operation: 'txMissingOperation',
  tx_malformed: 'txMalformed',
  tx_too_early: 'txTooEarly',
  tx_too_late: 'txTooLate',
  tx_insufficient_fee: 'txInsufficientFee',
  tx_no_source_account: 'txNoAccount',
  tx_bad_seq: 'txBadSeq',
  tx_bad_auth: 'txBadAuth',
  tx_bad_auth_extra: 'txBadAuthExtra',
  tx_insufficient_balance: 'txInsufficientBalance',
} as const satisfies Record<
  TransactionCode,
  keyof typeof xdr.TransactionResultResult & keyof typeof xdr.InnerTransactionResultResult
>;

/** The result of a landed transaction, successful or failed. */
export function landedResultXdr(landed: LandedTransaction): string {
  const { hash, operations, feeChargedUnits, feeBump, failure } = landed;
  if (feeBump !== undefined) return feeBumpResultXdr(hash, feeChargedUnits, innerResult(landed));
  if (failure?.code !== undefined) return resultXdr(feeChargedUnits, xdr.TransactionResultResult.txBadSponsorship());
  if (failure !== undefined) return resultXdr(feeChargedUnits, xdr.TransactionResultResult.txFailed(failedOperations(landed)));
  return resultXdr(feeChargedUnits, xdr.TransactionResultResult.txSuccess(operations.map(succeededOperation)));
}

function innerResult(landed: LandedTransaction): xdr.InnerTransactionResultResult {
  if (landed.failure?.code !== undefined) return xdr.InnerTransactionResultResult.txBadSponsorship();
  return landed.failure === undefined
    ? xdr.InnerTransactionResultResult.txSuccess(landed.operations.map(succeededOperation))
    : xdr.InnerTransactionResultResult.txFailed(failedOperations(landed));
}

function failedOperations({ operations, failure }: LandedTransaction): xdr.OperationResult[] {
  return (failure?.operationCodes ?? []).map((code, index) => {
    const operation = operations[index];
    if (operation === undefined) return xdr.OperationResult.opNoAccount();
    return code === 'op_success' ? succeededOperation(operation) : failedOperation(operation.kind, code);
  });
}

export function invalidResultXdr({ code, feeUnits, innerHash }: InvalidTransaction): string {
  const name = invalidities[code];
  if (innerHash !== undefined) return feeBumpResultXdr(innerHash, feeUnits, xdr.InnerTransactionResultResult[name]());
  return resultXdr(feeUnits, xdr.TransactionResultResult[name]());
}

/** The fee is charged by the fee bump, and nothing by the transaction inside of it. */
function feeBumpResultXdr(innerHash: string, feeUnits: bigint, result: xdr.InnerTransactionResultResult): string {
  const inner = new xdr.InnerTransactionResultPair({
    transactionHash: Buffer.from(innerHash, 'hex'),
    result: new xdr.InnerTransactionResult({
      feeCharged: xdr.Int64.fromString('0'),
      result,
      ext: new xdr.InnerTransactionResultExt(0),
    }),
  });
  const isSuccess = result.switch() === xdr.TransactionResultCode.txSuccess();
  const { TransactionResultResult } = xdr;
  return resultXdr(
    feeUnits,
    isSuccess ? TransactionResultResult.txFeeBumpInnerSuccess(inner) : TransactionResultResult.txFeeBumpInnerFailed(inner),
  );
}

function resultXdr(feeUnits: bigint, result: xdr.TransactionResultResult): string {
  const feeCharged = xdr.Int64.fromString(feeUnits.toString());
  return new xdr.TransactionResult({ feeCharged, result, ext: new xdr.TransactionResultExt(0) }).toXDR('base64');
}
