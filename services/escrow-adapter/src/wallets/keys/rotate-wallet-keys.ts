import type { Log } from '@holdfast/shared/context';
import type { WalletStore } from '../store/wallet-store.js';
import type { MasterKeys } from './master-keys.js';
import { rewrap } from './wallet-keys.js';

const walletsPerBatch = 200;

/**
 * Wraps the data keys of all wallets with the current master key. It may be stopped and begun again at any time, and beside
 * a running service: until it is through, both keys open. Returns how many wallets it has wrapped.
 */
export async function rotateWalletKeys(
  {
    store,
    keys,
    log,
  }: { readonly store: Pick<WalletStore, 'wrappedByOthers' | 'rewrap'>; readonly keys: MasterKeys; readonly log: Log },
  signal?: AbortSignal,
): Promise<number> {
  let wrapped = 0;
  while (signal?.aborted !== true) {
    const wallets = await store.wrappedByOthers(keys.currentId, walletsPerBatch);
    if (wallets.length === 0) break;
    await store.rewrap(
      wallets.map((before) => ({ before, after: rewrap(keys, before, before.userId) })),
      keys.currentId,
    );
    wrapped += wallets.length;
    log.info({ wrapped, masterKeyId: keys.currentId }, 'wallet keys wrapped anew');
  }
  return wrapped;
}
