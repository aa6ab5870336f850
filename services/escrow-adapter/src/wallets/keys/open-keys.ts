import { LRUCache } from 'lru-cache';
import type { UserId } from '@holdfast/kernel/ids';
import type { SignableWallet } from '../signing/signer.js';
import type { WalletStore } from '../store/wallet-store.js';
import type { MasterKeys } from './master-keys.js';
import { openWalletKey } from './wallet-keys.js';

/** An order needs several signatures within seconds; then its keys are dropped from memory. */
const openMs = 30_000;
const openMax = 1_000;

export type OpenKeysDeps = { readonly store: Pick<WalletStore, 'findSealed'>; readonly keys: MasterKeys };

/** Finds wallets to sign with. Decrypted keys are cached for a short time. */
export function openKeys({ store, keys }: OpenKeysDeps): (userId: UserId) => Promise<SignableWallet | undefined> {
  const open = new LRUCache<UserId, SignableWallet>({ max: openMax, ttl: openMs, ttlAutopurge: true });
  return async (userId) => {
    const known = open.get(userId);
    if (known !== undefined) return known;
    const sealed = await store.findSealed(userId);
    if (sealed === undefined) return undefined;
    const openKey = () => {
      const key = openWalletKey(keys, sealed, userId);
      open.set(userId, { address: key.address, openKey: () => key });
      return key;
    };
    return { address: sealed.address, openKey };
  };
}
