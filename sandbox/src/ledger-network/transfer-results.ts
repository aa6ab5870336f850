import { Keypair, xdr } from '@stellar/stellar-sdk';
import { nativeAsset } from '../domain/assets.js';
import type { PathPayment, TransferOperation } from '../domain/transfer-operations.js';
import { assetXdr, int64 } from './xdr-fields.js';

export type TransferKind = TransferOperation['kind'];

const { OperationResultTr, PathPaymentStrictSendResult, PathPaymentStrictReceiveResult } = xdr;
const { AccountMergeResult, CreateClaimableBalanceResult, ClawbackResult } = xdr;

const native = assetXdr(nativeAsset);

/** The failures by kind and code. */
export const transferFailures: Readonly<Record<string, () => xdr.OperationResultTr>> = {
  'path_payment_strict_send op_malformed': () =>
    OperationResultTr.pathPaymentStrictSend(PathPaymentStrictSendResult.pathPaymentStrictSendMalformed()),
  'path_payment_strict_send op_underfunded': () =>
    OperationResultTr.pathPaymentStrictSend(PathPaymentStrictSendResult.pathPaymentStrictSendUnderfunded()),
  'path_payment_strict_send op_src_no_trust': () =>
    OperationResultTr.pathPaymentStrictSend(PathPaymentStrictSendResult.pathPaymentStrictSendSrcNoTrust()),
  'path_payment_strict_send op_no_destination': () =>
    OperationResultTr.pathPaymentStrictSend(PathPaymentStrictSendResult.pathPaymentStrictSendNoDestination()),
  'path_payment_strict_send op_no_trust': () =>
    OperationResultTr.pathPaymentStrictSend(PathPaymentStrictSendResult.pathPaymentStrictSendNoTrust()),
  'path_payment_strict_send op_line_full': () =>
    OperationResultTr.pathPaymentStrictSend(PathPaymentStrictSendResult.pathPaymentStrictSendLineFull()),
  'path_payment_strict_send op_no_issuer': () =>
    OperationResultTr.pathPaymentStrictSend(PathPaymentStrictSendResult.pathPaymentStrictSendNoIssuer(native)),
  'path_payment_strict_send op_too_few_offers': () =>
    OperationResultTr.pathPaymentStrictSend(PathPaymentStrictSendResult.pathPaymentStrictSendTooFewOffers()),
  'path_payment_strict_send op_under_dest_min': () =>
    OperationResultTr.pathPaymentStrictSend(PathPaymentStrictSendResult.pathPaymentStrictSendUnderDestmin()),
  'path_payment_strict_receive op_malformed': () =>
    OperationResultTr.pathPaymentStrictReceive(PathPaymentStrictReceiveResult.pathPaymentStrictReceiveMalformed()),
  'path_payment_strict_receive op_underfunded': () =>
    OperationResultTr.pathPaymentStrictReceive(PathPaymentStrictReceiveResult.pathPaymentStrictReceiveUnderfunded()),
  'path_payment_strict_receive op_src_no_trust': () =>
    OperationResultTr.pathPaymentStrictReceive(PathPaymentStrictReceiveResult.pathPaymentStrictReceiveSrcNoTrust()),
  'path_payment_strict_receive op_no_destination': () =>
    OperationResultTr.pathPaymentStrictReceive(PathPaymentStrictReceiveResult.pathPaymentStrictReceiveNoDestination()),
  'path_payment_strict_receive op_no_trust': () =>
    OperationResultTr.pathPaymentStrictReceive(PathPaymentStrictReceiveResult.pathPaymentStrictReceiveNoTrust()),
  'path_payment_strict_receive op_line_full': () =>
    OperationResultTr.pathPaymentStrictReceive(PathPaymentStrictReceiveResult.pathPaymentStrictReceiveLineFull()),
  'path_payment_strict_receive op_no_issuer': () =>
    OperationResultTr.pathPaymentStrictReceive(PathPaymentStrictReceiveResult.pathPaymentStrictReceiveNoIssuer(native)),
  'path_payment_strict_receive op_too_few_offers': () =>
    OperationResultTr.pathPaymentStrictReceive(PathPaymentStrictReceiveResult.pathPaymentStrictReceiveTooFewOffers()),
  'path_payment_strict_receive op_over_source_max': () =>
    OperationResultTr.pathPaymentStrictReceive(PathPaymentStrictReceiveResult.pathPaymentStrictReceiveOverSendmax()),
  'account_merge op_malformed': () => OperationResultTr.accountMerge(AccountMergeResult.accountMergeMalformed()),
  'account_merge op_no_account': () => OperationResultTr.accountMerge(AccountMergeResult.accountMergeNoAccount()),
  'account_merge op_has_sub_entries': () => OperationResultTr.accountMerge(AccountMergeResult.accountMergeHasSubEntries()),
  'account_merge op_is_sponsor': () => OperationResultTr.accountMerge(AccountMergeResult.accountMergeIsSponsor()),
  'create_claimable_balance op_malformed': () =>
    OperationResultTr.createClaimableBalance(CreateClaimableBalanceResult.createClaimableBalanceMalformed()),
  'create_claimable_balance op_low_reserve': () =>
    OperationResultTr.createClaimableBalance(CreateClaimableBalanceResult.createClaimableBalanceLowReserve()),
  'create_claimable_balance op_no_trust': () =>
    OperationResultTr.createClaimableBalance(CreateClaimableBalanceResult.createClaimableBalanceNoTrust()),
  'create_claimable_balance op_underfunded': () =>
    OperationResultTr.createClaimableBalance(CreateClaimableBalanceResult.createClaimableBalanceUnderfunded()),
  'clawback op_malformed': () => OperationResultTr.clawback(ClawbackResult.clawbackMalformed()),
  'clawback op_no_trust': () => OperationResultTr.clawback(ClawbackResult.clawbackNoTrust()),
  'clawback op_underfunded': () => OperationResultTr.clawback(ClawbackResult.clawbackUnderfunded()),
};

const kinds: readonly string[] = [
  'path_payment_strict_send',
  'path_payment_strict_receive',
  'account_merge',
  'create_claimable_balance',
  'clawback',
] satisfies readonly TransferKind[];

export function isTransfer<Operation extends { readonly kind: string }>(
  operation: Operation,
): operation is Extract<Operation, { readonly kind: TransferKind }> {
  return kinds.includes(operation.kind);
}

export function transferSuccess(operation: TransferOperation): xdr.OperationResultTr {
  switch (operation.kind) {
    case 'path_payment_strict_send': {
      const success = new xdr.PathPaymentStrictSendResultSuccess({ offers: [], last: lastPayment(operation) });
      return OperationResultTr.pathPaymentStrictSend(PathPaymentStrictSendResult.pathPaymentStrictSendSuccess(success));
    }
    case 'path_payment_strict_receive': {
      const success = new xdr.PathPaymentStrictReceiveResultSuccess({ offers: [], last: lastPayment(operation) });
      return OperationResultTr.pathPaymentStrictReceive(PathPaymentStrictReceiveResult.pathPaymentStrictReceiveSuccess(success));
    }
    case 'account_merge':
      return OperationResultTr.accountMerge(AccountMergeResult.accountMergeSuccess(int64(operation.units ?? 0n)));
    case 'create_claimable_balance': {
      const id = xdr.ClaimableBalanceId.fromXDR(operation.balanceId, 'hex');
      return OperationResultTr.createClaimableBalance(CreateClaimableBalanceResult.createClaimableBalanceSuccess(id));
    }
    case 'clawback':
      return OperationResultTr.clawback(ClawbackResult.clawbackSuccess());
  }
}

function lastPayment({ to, asset, units }: PathPayment): xdr.SimplePaymentResult {
  const destination = Keypair.fromPublicKey(to).xdrAccountId();
  return new xdr.SimplePaymentResult({ destination, asset: assetXdr(asset), amount: int64(units) });
}
