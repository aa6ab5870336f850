/** `XLM`, or a code and its issuer: `USDC:G…`. */
export type AssetKey = string;

export const nativeAsset: AssetKey = 'XLM';

export type IssuedAsset = { readonly code: string; readonly issuer: string };

export function assetKey({ code, issuer }: IssuedAsset): AssetKey {
  return `${code}:${issuer}`;
}

/** Undefined for the native asset, which has no issuer. */
export function issuedAsset(asset: AssetKey): IssuedAsset | undefined {
  const colon = asset.indexOf(':');
  return colon === -1 ? undefined : { code: asset.slice(0, colon), issuer: asset.slice(colon + 1) };
}

export function isIssuer(account: string, asset: AssetKey): boolean {
  return issuedAsset(asset)?.issuer === account;
}

/** A transfer between two addresses. Addresses of accounts start with G, addresses of contracts with C. */
export type Transfer = { readonly from: string; readonly to: string; readonly asset: AssetKey; readonly units: bigint };

/** What a call of a token's contract has moved. A mint has no sender; a burn and a clawback have no receiver. */
export type BalanceChange = {
  readonly type: 'transfer' | 'mint' | 'burn' | 'clawback';
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  /** The id of the muxed address with which the sender named the receiver. */
  readonly toMuxedId?: string | undefined;
  readonly asset: AssetKey;
  readonly units: bigint;
};
