import { assetKey, nativeAsset, type AssetKey } from '../domain/assets.js';
import { contractRefusal } from '../domain/operation-failure.js';
import type { Network } from '../ledger-network/network.js';

/** Finds the address of a token's contract. */
export type TokenNames = (trustline: { readonly address: string; readonly symbol: string }) => string;

/** A token is identified by its issuer and symbol, or by the address of its contract. */
export function createTokenNames({ genesis }: Network): TokenNames {
  const contracts = new Map<AssetKey, string>([...genesis.tokens].map(([contractId, asset]) => [asset, contractId]));
  return ({ address, symbol }) => {
    const issued = genesis.tokens.has(address) ? address : contracts.get(assetKey({ code: symbol, issuer: address }));
    const token = symbol === nativeAsset ? contracts.get(nativeAsset) : issued;
    if (token === undefined) throw contractRefusal('The token does not exist');
    return token;
  };
}
