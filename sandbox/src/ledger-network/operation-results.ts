import { xdr } from '@stellar/stellar-sdk';
import { accountIdOf } from '../contract-calls/addresses.js';
import { nativeAsset } from '../domain/assets.js';
import type { OfferOperation } from '../domain/offer-operations.js';
import type { Offer } from '../domain/offer.js';
import type { OperationCode } from '../domain/operation-failure.js';
import type { PathPayment } from '../domain/transfer-operations.js';
import type { LandedOperation } from '../store/records.js';
import { callByKind, operationKinds, type ByKind } from './operation-kinds.js';
import { assetXdr, int64, offerEntry } from './xdr-fields.js';

/** What the results of some kinds contain besides the success itself. Contract calls have a result that is always the same. */
const successContents: ByKind<Buffer> = {
  path_payment_strict_send: pathPaymentContent,
  path_payment_strict_receive: pathPaymentContent,
  account_merge: ({ units = 0n }) => int64(units).toXDR(),
  create_claimable_balance: ({ balanceId }) => Buffer.from(balanceId, 'hex'),
  manage_sell_offer: offerContent,
  manage_buy_offer: offerContent,
  create_passive_sell_offer: offerContent,
};

export function succeededOperation(operation: LandedOperation): xdr.OperationResult {
  if (operation.kind === 'contract_call') return succeededCall;
  return resultOf(operation.kind, 0, callByKind(successContents, operation));
}

export function failedOperation(kind: LandedOperation['kind'], code: OperationCode): xdr.OperationResult {
  const failure = operationKinds[kind].failures[code];
  if (failure === undefined) return xdr.OperationResult.opNoAccount();
  const isPath = kind === 'path_payment_strict_send' || kind === 'path_payment_strict_receive';
  // Only this failure has a content: the asset.
  return resultOf(kind, failure, isPath && code === 'op_no_issuer' ? assetXdr(nativeAsset).toXDR() : undefined);
}

/** All results begin with three numbers: an inner result, the operation's type, and the code. */
function resultOf(kind: LandedOperation['kind'], code: number, content: Buffer = Buffer.alloc(0)): xdr.OperationResult {
  const numbers = Buffer.alloc(12);
  numbers.writeInt32BE(operationKinds[kind].type_i, 4);
  numbers.writeInt32BE(code, 8);
  return xdr.OperationResult.fromXDR(Buffer.concat([numbers, content]));
}

/** On the network it contains the hash of the returned value and the events. */
const succeededCall = resultOf('contract_call', 0, Buffer.alloc(32));

function pathPaymentContent({ to, asset, units }: PathPayment): Buffer {
  const destination = accountIdOf(to);
  const last = new xdr.SimplePaymentResult({ destination, asset: assetXdr(asset), amount: int64(units) });
  return new xdr.PathPaymentStrictSendResultSuccess({ offers: [], last }).toXDR();
}

function offerContent({ source, offerId, offer }: OfferOperation): Buffer {
  return new xdr.ManageOfferSuccessResult({ offersClaimed: [], offer: offerEffect(source, offerId, offer) }).toXDR();
}

function offerEffect(source: string, offerId: bigint, offer: Offer | undefined): xdr.ManageOfferSuccessResultOffer {
  const { ManageOfferSuccessResultOffer: Effect } = xdr;
  if (offer === undefined) return Effect.manageOfferDeleted();
  const entry = offerEntry(source, offer);
  return offerId === 0n ? Effect.manageOfferCreated(entry) : Effect.manageOfferUpdated(entry);
}
