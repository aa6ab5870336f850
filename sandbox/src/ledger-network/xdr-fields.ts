import { Asset, xdr } from '@stellar/stellar-sdk';
import { accountIdOf } from '../contract-calls/addresses.js';
import { issuedAsset, type AssetKey } from '../domain/assets.js';
import type { Offer } from '../domain/offer.js';

export function assetXdr(asset: AssetKey): xdr.Asset {
  const issued = issuedAsset(asset);
  return (issued === undefined ? Asset.native() : new Asset(issued.code, issued.issuer)).toXDRObject();
}

const shortCodeLength = 4;
const longCodeLength = 12;

/** The asset of a trustline. Undefined for the native asset, which has no trustlines. */
export function trustLineAsset(asset: AssetKey): xdr.TrustLineAsset | undefined {
  const issued = issuedAsset(asset);
  if (issued === undefined) return undefined;
  const issuer = accountIdOf(issued.issuer);
  return issued.code.length <= shortCodeLength
    ? xdr.TrustLineAsset.assetTypeCreditAlphanum4(new xdr.AlphaNum4({ assetCode: padded(issued.code, shortCodeLength), issuer }))
    : xdr.TrustLineAsset.assetTypeCreditAlphanum12(
        new xdr.AlphaNum12({ assetCode: padded(issued.code, longCodeLength), issuer }),
      );
}

function padded(code: string, length: number): Buffer {
  return Buffer.from(code.padEnd(length, '\0'));
}

export function int64(value: bigint): xdr.Int64 {
  return new xdr.Int64(value);
}

const passiveFlag = 1;

export function offerEntry(seller: string, offer: Offer): xdr.OfferEntry {
  return new xdr.OfferEntry({
    sellerId: accountIdOf(seller),
    offerId: int64(BigInt(offer.id)),
    selling: assetXdr(offer.selling),
    buying: assetXdr(offer.buying),
    amount: int64(offer.units),
    price: new xdr.Price(offer.price),
    flags: offer.isPassive ? passiveFlag : 0,
    ext: new xdr.OfferEntryExt(0),
  });
}
