import { selectList, type Database } from '@holdfast/postgres';
import { walletColumns, type WalletRow } from '../../store/schema.js';
import type { SealedSeed } from '../keys/wallet-keys.js';
import type { SealedWallet } from './wallet-store.js';

const findWrappedByOthers = `
  select ${selectList(walletColumns, 'wallets')}
  from wallets
  where master_key_id <> $1
  order by user_id
  limit $2`;

/** A wallet is written only while it is still wrapped by the key that it was read with. */
const rewrapWallet = {
  name: 'rewrap-wallet',
  text: `
  update wallets
  set wrapped_key = $3,
    master_key_id = $4
  where user_id = $1
    and master_key_id = $2`,
};

export type Rewrapped = { readonly before: SealedWallet; readonly after: SealedSeed };

export function rotationStore({ lists }: Pick<Database, 'lists'>) {
  return {
    wrappedByOthers: async (masterKeyId: string, countMax: number): Promise<readonly SealedWallet[]> =>
      (await lists.query<WalletRow>(findWrappedByOthers, [masterKeyId, countMax])).rows,
    rewrap: (wallets: readonly Rewrapped[]): Promise<void> =>
      lists.inTransaction((tx) => {
        for (const { before, after } of wallets) {
          tx.defer(rewrapWallet, [before.userId, before.masterKeyId, after.wrappedKey, after.masterKeyId]);
        }
        return Promise.resolve();
      }),
  };
}
