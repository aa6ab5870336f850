import { Account, MuxedAccount, type Asset } from '@stellar/stellar-sdk';
import { assetKey, nativeAsset, type AssetKey } from '../domain/assets.js';
import { parseUnits } from '../domain/units.js';

export function assetKeyOf(asset: Asset): AssetKey {
  return asset.isNative() ? nativeAsset : assetKey({ code: asset.getCode(), issuer: asset.getIssuer() });
}

/** The SDK formats amounts with seven decimals, so the fallback to zero is never used. */
export function unitsOf(amount: string): bigint {
  return parseUnits(amount) ?? 0n;
}

/** An account, and the muxed address of it where the sender has used one. */
export type NamedAccount = { readonly address: string; readonly muxed?: string | undefined };

export function destinationOf(address: string): NamedAccount {
  return address.startsWith('M') ? { address: baseOf(address), muxed: address } : { address };
}

/** The id in a muxed address, as decimal text. */
export function muxedIdOf(address: string): string {
  return muxedAccount(address).id();
}

export function muxedAddress(address: string, id: string): string {
  return new MuxedAccount(new Account(address, '0'), id).accountId();
}

function baseOf(address: string): string {
  return muxedAccount(address).baseAccount().accountId();
}

function muxedAccount(address: string): MuxedAccount {
  // The sequence number of the account is not used.
  return MuxedAccount.fromAddress(address, '0');
}
