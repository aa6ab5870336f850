import { issuedAsset, type AssetKey } from '../domain/assets.js';
import { muxedIdOf } from './operation-fields.js';

const shortCodeLengthMax = 4;

/** The fields of an asset; their names start with the prefix. */
export function assetView(asset: AssetKey, prefix = ''): Readonly<Record<string, string>> {
  const issued = issuedAsset(asset);
  if (issued === undefined) return { [`${prefix}asset_type`]: 'native' };
  const type = issued.code.length <= shortCodeLengthMax ? 'credit_alphanum4' : 'credit_alphanum12';
  return {
    [`${prefix}asset_type`]: type,
    [`${prefix}asset_code`]: issued.code,
    [`${prefix}asset_issuer`]: issued.issuer,
  };
}

/** An asset in one field: `native` or `USDC:G…`. */
export function canonicalAsset(asset: AssetKey): string {
  return issuedAsset(asset) === undefined ? 'native' : asset;
}

/** The fields of an account, with the fields of the muxed address, if it was named by one. */
export function accountFacts(name: string, address: string, muxed?: string): Readonly<Record<string, string>> {
  if (muxed === undefined) return { [name]: address };
  return { [name]: address, [`${name}_muxed`]: muxed, [`${name}_muxed_id`]: muxedIdOf(muxed) };
}

/** The only predicate of claimants that the sandbox supports. */
export const unconditional = { unconditional: true } as const;
