import { Keypair, xdr } from '@stellar/stellar-sdk';
import { offerKinds, type OfferOperation } from '../domain/offer-operations.js';
import type { Offer } from '../domain/offer.js';
import type { OperationCode } from '../domain/operation-failure.js';
import { assetXdr, int64 } from './xdr-fields.js';

export type OfferKind = OfferOperation['kind'];

const { OperationResultTr, ManageSellOfferResult, ManageBuyOfferResult } = xdr;

export function isOffer<Operation extends { readonly kind: string }>(
  operation: Operation,
): operation is Extract<Operation, { readonly kind: OfferKind }> {
  return offerKinds.some((kind) => kind === operation.kind);
}

/** The codes, and how the constructors of both XDR types of results end. */
const refusals = {
  op_malformed: 'Malformed',
  op_sell_no_trust: 'SellNoTrust',
  op_buy_no_trust: 'BuyNoTrust',
  op_line_full: 'LineFull',
  op_underfunded: 'Underfunded',
  op_offer_not_found: 'NotFound',
  op_low_reserve: 'LowReserve',
} as const satisfies Partial<Record<OperationCode, string>>;
type Refusal = (typeof refusals)[keyof typeof refusals];

const refused: Readonly<Record<OfferKind, (refusal: Refusal) => xdr.OperationResultTr>> = {
  manage_sell_offer: (refusal) => OperationResultTr.manageSellOffer(ManageSellOfferResult[`manageSellOffer${refusal}`]()),
  manage_buy_offer: (refusal) => OperationResultTr.manageBuyOffer(ManageBuyOfferResult[`manageBuyOffer${refusal}`]()),
  create_passive_sell_offer: (refusal) =>
    OperationResultTr.createPassiveSellOffer(ManageSellOfferResult[`manageSellOffer${refusal}`]()),
};

/** The failures by kind and code. */
export const offerFailures: Readonly<Record<string, () => xdr.OperationResultTr>> = Object.fromEntries(
  offerKinds.flatMap((kind) =>
    Object.entries(refusals).map(([code, refusal]) => [`${kind} ${code}`, () => refused[kind](refusal)] as const),
  ),
);

export function offerSuccess(operation: OfferOperation): xdr.OperationResultTr {
  const success = new xdr.ManageOfferSuccessResult({ offersClaimed: [], offer: offerEffect(operation) });
  switch (operation.kind) {
    case 'manage_sell_offer':
      return OperationResultTr.manageSellOffer(ManageSellOfferResult.manageSellOfferSuccess(success));
    case 'manage_buy_offer':
      return OperationResultTr.manageBuyOffer(ManageBuyOfferResult.manageBuyOfferSuccess(success));
    case 'create_passive_sell_offer':
      return OperationResultTr.createPassiveSellOffer(ManageSellOfferResult.manageSellOfferSuccess(success));
  }
}

function offerEffect({ source, offerId, offer }: OfferOperation): xdr.ManageOfferSuccessResultOffer {
  const { ManageOfferSuccessResultOffer: Effect } = xdr;
  if (offer === undefined) return Effect.manageOfferDeleted();
  const entry = offerEntry(source, offer);
  return offerId === 0n ? Effect.manageOfferCreated(entry) : Effect.manageOfferUpdated(entry);
}

const passiveFlag = 1;

export function offerEntry(seller: string, offer: Offer): xdr.OfferEntry {
  return new xdr.OfferEntry({
    sellerId: Keypair.fromPublicKey(seller).xdrAccountId(),
    offerId: int64(BigInt(offer.id)),
    selling: assetXdr(offer.selling),
    buying: assetXdr(offer.buying),
    amount: int64(offer.units),
    price: new xdr.Price(offer.price),
    flags: offer.isPassive ? passiveFlag : 0,
    ext: new xdr.OfferEntryExt(0),
  });
}
