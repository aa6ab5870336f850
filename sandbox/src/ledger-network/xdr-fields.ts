import { Asset, Keypair, xdr } from '@stellar/stellar-sdk';
import { issuedAsset, type AssetKey } from '../domain/assets.js';
import type { Offer } from '../domain/offer.js';

export function assetXdr(asset: AssetKey): xdr.Asset {
  const issued = issuedAsset(asset);
  return (issued === undefined ? Asset.native() : new Asset(issued.code, issued.issuer)).toXDRObject();
}

export function int64(value: bigint): xdr.Int64 {
  return xdr.Int64.fromString(value.toString());
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
