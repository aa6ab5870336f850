import { Asset, type Operation, type Transaction, xdr } from '@stellar/stellar-sdk';
import { addressText } from '../contract-calls/addresses.js';
import type { OfferOperation } from '../domain/offer-operations.js';
import { assetKeyOf, destinationOf, unitsOf } from './operation-fields.js';
import type { SubmittedOperation } from './submitted-transaction.js';

export type OperationRecord = Transaction['operations'][number];

type Sent = {
  readonly source: string;
  readonly claimableBalanceId: () => string;
  /** The operation as it is in the envelope. */
  readonly body: () => xdr.OperationBody;
};

type Parse<Record> = (operation: Record, sent: Sent) => SubmittedOperation | undefined;

/** Converts an operation of the SDK; undefined for unsupported kinds and variants. */
export function parseOperation(operation: OperationRecord, sent: Sent): SubmittedOperation | undefined {
  // eslint-disable-next-line holdfast/no-type-assertion -- the table has the function of this very type
  const parse = parsers[operation.type] as Parse<OperationRecord> | undefined;
  return parse?.(operation, sent);
}

const parsers: { readonly [Type in OperationRecord['type']]?: Parse<Extract<OperationRecord, { type: Type }>> } = {
  createAccount: ({ destination, startingBalance }, { source }) => {
    return { kind: 'create_account', source, destination, units: unitsOf(startingBalance) };
  },
  payment: ({ destination, amount, asset }, { source }) => {
    const { address: to, muxed: toMuxed } = destinationOf(destination);
    return { kind: 'payment', source, to, toMuxed, asset: assetKeyOf(asset), units: unitsOf(amount) };
  },
  changeTrust: ({ line, limit }, { source }) => {
    if (!('getIssuer' in line)) return undefined;
    return { kind: 'change_trust', source, asset: assetKeyOf(line), limitUnits: unitsOf(limit) };
  },
  pathPaymentStrictSend: (operation, { source }) => {
    const { sendAmount, destMin } = operation;
    return parsePathPayment(operation, { kind: 'path_payment_strict_send', source, amount: sendAmount, limit: destMin });
  },
  pathPaymentStrictReceive: (operation, { source }) => {
    const { destAmount, sendMax } = operation;
    return parsePathPayment(operation, { kind: 'path_payment_strict_receive', source, amount: destAmount, limit: sendMax });
  },
  accountMerge: ({ destination }, { source }) => {
    const { address: into, muxed: intoMuxed } = destinationOf(destination);
    return { kind: 'account_merge', source, into, intoMuxed };
  },
  createClaimableBalance: ({ asset, amount, claimants }, { source, claimableBalanceId }) => {
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
  },
  clawback: ({ from, amount, asset }, { source }) => {
    const { address, muxed: fromMuxed } = destinationOf(from);
    return { kind: 'clawback', source, from: address, fromMuxed, asset: assetKeyOf(asset), units: unitsOf(amount) };
  },
  // Offers are read from the envelope, because the SDK's own records have no exact price.
  manageSellOffer: (_record, { source, body }) => {
    const operation = body().manageSellOfferOp();
    const units = operation.amount().toBigInt();
    return { kind: 'manage_sell_offer', source, ...termsOf(operation), units, offerId: operation.offerId().toBigInt() };
  },
  manageBuyOffer: (_record, { source, body }) => {
    const operation = body().manageBuyOfferOp();
    const units = operation.buyAmount().toBigInt();
    return { kind: 'manage_buy_offer', source, ...termsOf(operation), units, offerId: operation.offerId().toBigInt() };
  },
  createPassiveSellOffer: (_record, { source, body }) => {
    const operation = body().createPassiveSellOfferOp();
    const units = operation.amount().toBigInt();
    return { kind: 'create_passive_sell_offer', source, ...termsOf(operation), units, offerId: 0n };
  },
  beginSponsoringFutureReserves: ({ sponsoredId }, { source }) => {
    return { kind: 'begin_sponsoring', source, sponsored: sponsoredId };
  },
  endSponsoringFutureReserves: (_record, { source }) => ({ kind: 'end_sponsoring', source }),
  invokeHostFunction: ({ func, auth = [] }, { source }) => {
    if (func.switch() !== xdr.HostFunctionType.hostFunctionTypeInvokeContract()) return undefined;
    const invocation = func.invokeContract();
    return {
      kind: 'contract_call',
      source,
      contractId: addressText(invocation.contractAddress()),
      functionName: invocation.functionName().toString(),
      arguments: invocation.args(),
      authorizations: auth,
    };
  },
  extendFootprintTtl: ({ extendTo }, { source }) => ({ kind: 'extend_footprint_ttl', source, extendTo }),
  restoreFootprint: (_record, { source }) => ({ kind: 'restore_footprint', source }),
};

type FixedAmounts = {
  readonly kind: 'path_payment_strict_send' | 'path_payment_strict_receive';
  readonly source: string;
  readonly amount: string;
  readonly limit: string;
};

/** Assets are exchanged one to one, so both amounts are the one that the sender has fixed. */
function parsePathPayment(
  { path, destination, destAsset, sendAsset }: Operation.PathPaymentStrictSend | Operation.PathPaymentStrictReceive,
  { kind, source, amount, limit }: FixedAmounts,
): SubmittedOperation | undefined {
  if (path.length > 0) return undefined;
  const { address: to, muxed: toMuxed } = destinationOf(destination);
  const [units, assets] = [unitsOf(amount), { asset: assetKeyOf(destAsset), sourceAsset: assetKeyOf(sendAsset) }];
  return { kind, source, to, toMuxed, ...assets, units, sourceUnits: units, limitUnits: unitsOf(limit) };
}

type Terms = Pick<OfferOperation, 'selling' | 'buying' | 'price'>;

function termsOf(operation: xdr.ManageSellOfferOp | xdr.ManageBuyOfferOp | xdr.CreatePassiveSellOfferOp): Terms {
  const price = operation.price();
  return {
    selling: assetKeyOf(Asset.fromOperation(operation.selling())),
    buying: assetKeyOf(Asset.fromOperation(operation.buying())),
    price: { n: price.n(), d: price.d() },
  };
}
