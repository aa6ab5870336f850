import { xdr } from '@stellar/stellar-sdk';
import type { LandedOperation } from '../store/records.js';
import { isOffer, offerFailures, offerSuccess, type OfferKind } from './offer-results.js';
import { isTransfer, transferFailures, transferSuccess, type TransferKind } from './transfer-results.js';

type Kind = LandedOperation['kind'];

const { CreateAccountResult, PaymentResult, ChangeTrustResult, InvokeHostFunctionResult, OperationResultTr } = xdr;
const { ExtendFootprintTtlResult, RestoreFootprintResult } = xdr;
const { BeginSponsoringFutureReservesResult: BeginResult, EndSponsoringFutureReservesResult: EndResult } = xdr;

/** The results that are equal for all operations of a kind. */
const successes: Readonly<Record<Exclude<Kind, TransferKind | OfferKind>, () => xdr.OperationResultTr>> = {
  create_account: () => OperationResultTr.createAccount(CreateAccountResult.createAccountSuccess()),
  payment: () => OperationResultTr.payment(PaymentResult.paymentSuccess()),
  change_trust: () => OperationResultTr.changeTrust(ChangeTrustResult.changeTrustSuccess()),
  begin_sponsoring: () => OperationResultTr.beginSponsoringFutureReserves(BeginResult.beginSponsoringFutureReservesSuccess()),
  end_sponsoring: () => OperationResultTr.endSponsoringFutureReserves(EndResult.endSponsoringFutureReservesSuccess()),
  contract_call: () => OperationResultTr.invokeHostFunction(InvokeHostFunctionResult.invokeHostFunctionSuccess(Buffer.alloc(32))),
  extend_footprint_ttl: () => OperationResultTr.extendFootprintTtl(ExtendFootprintTtlResult.extendFootprintTtlSuccess()),
  restore_footprint: () => OperationResultTr.restoreFootprint(RestoreFootprintResult.restoreFootprintSuccess()),
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
  'begin_sponsoring op_malformed': () =>
    OperationResultTr.beginSponsoringFutureReserves(BeginResult.beginSponsoringFutureReservesMalformed()),
  'begin_sponsoring op_already_sponsored': () =>
    OperationResultTr.beginSponsoringFutureReserves(BeginResult.beginSponsoringFutureReservesAlreadySponsored()),
  'begin_sponsoring op_recursive': () =>
    OperationResultTr.beginSponsoringFutureReserves(BeginResult.beginSponsoringFutureReservesRecursive()),
  'end_sponsoring op_not_sponsored': () =>
    OperationResultTr.endSponsoringFutureReserves(EndResult.endSponsoringFutureReservesNotSponsored()),
  'extend_footprint_ttl op_malformed': () =>
    OperationResultTr.extendFootprintTtl(ExtendFootprintTtlResult.extendFootprintTtlMalformed()),
  'contract_call function_trapped': () =>
    OperationResultTr.invokeHostFunction(InvokeHostFunctionResult.invokeHostFunctionTrapped()),
  'contract_call entry_archived': () =>
    OperationResultTr.invokeHostFunction(InvokeHostFunctionResult.invokeHostFunctionEntryArchived()),
  ...transferFailures,
  ...offerFailures,
};

/** Whether the result says more than that the operation has succeeded. */
export function hasOwnResult(operation: LandedOperation): boolean {
  return isTransfer(operation) || isOffer(operation);
}

export function succeededOperation(operation: LandedOperation): xdr.OperationResult {
  if (isTransfer(operation)) return xdr.OperationResult.opInner(transferSuccess(operation));
  return xdr.OperationResult.opInner(isOffer(operation) ? offerSuccess(operation) : successes[operation.kind]());
}

export function failedOperation(kind: Kind, code: string): xdr.OperationResult {
  const inner = failures[`${kind} ${code}`];
  return inner === undefined ? xdr.OperationResult.opNoAccount() : xdr.OperationResult.opInner(inner());
}
