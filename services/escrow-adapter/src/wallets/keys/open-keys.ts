import type { Clock } from '@holdfast/shared/context';
import type { UserId } from '@holdfast/shared/ids';
import type { SignableWallet } from '../signing/signer.js';
import type { WalletStore } from '../store/wallet-store.js';
import type { MasterKeys } from './master-keys.js';
import { openWalletKey } from './wallet-keys.js';

/** An order is signed for several times within seconds; after that nobody holds its keys open any more. */
const openMs = 30_000;
const openMax = 1_000;

type OpenWallet = SignableWallet & { readonly until: number };

export type OpenKeysDeps = {
  readonly store: Pick<WalletStore, 'findSealed'>;
  readonly keys: MasterKeys;
  readonly clock: Pick<Clock, 'epochMs'>;
};

/** Finds wallets to sign with. Those used a moment ago are remembered, opened, for a short time. */
export function openKeys({ store, keys, clock }: OpenKeysDeps): (userId: UserId) => Promise<SignableWallet | undefined> {
  const open = new Map<string, OpenWallet>();
  const forget = (now: number): void => {
    for (const [userId, { until }] of open) {
      if (until > now && open.size <= openMax) break;
      open.delete(userId);
    }
  };
  return async (userId) => {
    const now = clock.epochMs();
    forget(now);
    const known = open.get(userId);
    if (known !== undefined) return known;
    const sealed = await store.findSealed(userId);
    if (sealed === undefined) return undefined;
    const openKey = () => {
      const key = openWalletKey(keys, sealed, userId);
      open.set(userId, { address: key.address, openKey: () => key, until: now + openMs });
      return key;
    };
    return { address: sealed.address, openKey };
  };
}
