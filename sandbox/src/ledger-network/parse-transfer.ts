import { xdr, type Operation } from '@stellar/stellar-sdk';
import type { TransferOperation } from '../domain/transfer-operations.js';
import { assetKeyOf, destinationOf, unitsOf } from './operation-fields.js';

type TransferRecord =
  | Operation.PathPaymentStrictSend
  | Operation.PathPaymentStrictReceive
  | Operation.AccountMerge
  | Operation.CreateClaimableBalance
  | Operation.Clawback;

const types: readonly string[] = [
  'pathPaymentStrictSend',
  'pathPaymentStrictReceive',
  'accountMerge',
  'createClaimableBalance',
  'clawback',
] satisfies readonly TransferRecord['type'][];

export function isTransferRecord(operation: { readonly type: string }): operation is TransferRecord {
  return types.includes(operation.type);
}

type Sent = { readonly source: string; readonly claimableBalanceId: () => string };

/** Converts an operation of the SDK; undefined for variants that the sandbox does not support. */
export function parseTransfer(operation: TransferRecord, sent: Sent): TransferOperation | undefined {
  const { source } = sent;
  switch (operation.type) {
    case 'pathPaymentStrictSend':
    case 'pathPaymentStrictReceive':
      return parsePathPayment(operation, source);
    case 'accountMerge': {
      const { address: into, muxed: intoMuxed } = destinationOf(operation.destination);
      return { kind: 'account_merge', source, into, intoMuxed };
    }
    case 'createClaimableBalance':
      return parseClaimable(operation, sent);
    case 'clawback': {
      const { address: from, muxed: fromMuxed } = destinationOf(operation.from);
      const { amount, asset } = operation;
      return { kind: 'clawback', source, from, fromMuxed, asset: assetKeyOf(asset), units: unitsOf(amount) };
    }
  }
}

/** Assets are exchanged one to one, so both amounts are the one that the sender has fixed. */
function parsePathPayment(
  operation: Operation.PathPaymentStrictSend | Operation.PathPaymentStrictReceive,
  source: string,
): TransferOperation | undefined {
  if (operation.path.length > 0) return undefined;
  const { address: to, muxed: toMuxed } = destinationOf(operation.destination);
  const assets = { asset: assetKeyOf(operation.destAsset), sourceAsset: assetKeyOf(operation.sendAsset) };
  const isSend = operation.type === 'pathPaymentStrictSend';
  const units = unitsOf(isSend ? operation.sendAmount : operation.destAmount);
  const limitUnits = unitsOf(isSend ? operation.destMin : operation.sendMax);
  const kind = isSend ? 'path_payment_strict_send' : 'path_payment_strict_receive';
  return { kind, source, to, toMuxed, ...assets, units, sourceUnits: units, limitUnits };
}

function parseClaimable(
  { asset, amount, claimants }: Operation.CreateClaimableBalance,
  { source, claimableBalanceId }: Sent,
): TransferOperation | undefined {
  const unconditional = xdr.ClaimPredicateType.claimPredicateUnconditional();
  if (claimants.some(({ predicate }) => predicate.switch() !== unconditional)) return undefined;
  return {
    kind: 'create_claimable_balance',
    source,
    asset: assetKeyOf(asset),
    units: unitsOf(amount),
    claimants: claimants.map(({ destination }) => destination),
    balanceId: claimableBalanceId(),
  };
}
