import { Asset, xdr } from '@stellar/stellar-sdk';
import { issuedAsset, type AssetKey } from '../domain/assets.js';

export function assetXdr(asset: AssetKey): xdr.Asset {
  const issued = issuedAsset(asset);
  return (issued === undefined ? Asset.native() : new Asset(issued.code, issued.issuer)).toXDRObject();
}

export function int64(value: bigint): xdr.Int64 {
  return xdr.Int64.fromString(value.toString());
}
