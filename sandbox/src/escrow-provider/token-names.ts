import { Asset } from '@stellar/stellar-sdk';
import { assetKey, nativeAsset, type AssetKey } from '../domain/assets.js';
import type { Network } from '../ledger-network/network.js';

export type TokenNames = (trustline: { readonly address: string; readonly symbol: string }) => AssetKey;

/** A token is identified by its issuer and symbol, or by the address of its contract. */
export function createTokenNames({ passphrase, genesis }: Network): TokenNames {
  const contracts = new Map([
    [Asset.native().contractId(passphrase), nativeAsset],
    [new Asset('USDC', genesis.issuer.address).contractId(passphrase), genesis.usdc],
  ]);
  return ({ address, symbol }) =>
    symbol === nativeAsset ? nativeAsset : (contracts.get(address) ?? assetKey({ code: symbol, issuer: address }));
}
