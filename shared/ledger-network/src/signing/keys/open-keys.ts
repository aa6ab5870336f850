import { LRUCache } from 'lru-cache';
import type { SignableWallet } from '../signer.js';
import type { MasterKeys } from './master-keys.js';
import { openWalletKey, type SealedSeed } from './wallet-keys.js';

export type SealedWallet = SealedSeed & { readonly address: string };

/** An owner needs several signatures within seconds; then its key is dropped from memory. */
const openMs = 30_000;
const openMax = 1_000;

export type OpenKeysDeps = { readonly findSealed: (owner: string) => Promise<SealedWallet>; readonly keys: MasterKeys };

/** Finds wallets to sign with. Decrypted keys are cached for a short time. */
export function openKeys({ findSealed, keys }: OpenKeysDeps): (owner: string) => Promise<SignableWallet> {
  const open = new LRUCache<string, SignableWallet>({ max: openMax, ttl: openMs, ttlAutopurge: true });
  return async (owner) => {
    const known = open.get(owner);
    if (known !== undefined) return known;
    const sealed = await findSealed(owner);
    const openKey = () => {
      const key = openWalletKey(keys, sealed, owner);
      open.set(owner, { address: key.address, openKey: () => key });
      return key;
    };
    return { address: sealed.address, openKey };
  };
}
