import type { Database } from '@holdfast/shared/postgres';
import type { SealedSeed } from '../keys/wallet-keys.js';
import type { SealedWallet } from './wallet-store.js';

const findWrappedByOthers = `
  select user_id as "userId",
    address,
    sealed_seed as "sealedSeed",
    wrapped_key as "wrappedKey",
    master_key_id as "masterKeyId"
  from wallets
  where master_key_id <> $1
  order by user_id
  limit $2`;

const rewrapWallets = `
  update wallets
  set wrapped_key = rewrapped.wrapped_key,
    master_key_id = $4
  from unnest($1::text[], $2::text[], $3::bytea[]) as rewrapped (user_id, master_key_id, wrapped_key)
  where wallets.user_id = rewrapped.user_id
    and wallets.master_key_id = rewrapped.master_key_id`;

export type Rewrapped = { readonly before: SealedWallet; readonly after: SealedSeed };

export function rotationStore({ pool }: Pick<Database, 'pool'>) {
  return {
    wrappedByOthers: async (masterKeyId: string, countMax: number): Promise<readonly SealedWallet[]> =>
      (await pool.query<SealedWallet>(findWrappedByOthers, [masterKeyId, countMax])).rows,
    /** Each is replaced only while it is still wrapped by the key that it was read with. */
    rewrap: async (wallets: readonly Rewrapped[], masterKeyId: string): Promise<void> => {
      const userIds = wallets.map(({ before }) => before.userId);
      const masterKeyIds = wallets.map(({ before }) => before.masterKeyId);
      const wrappedKeys = wallets.map(({ after }) => after.wrappedKey);
      await pool.query(rewrapWallets, [userIds, masterKeyIds, wrappedKeys, masterKeyId]);
    },
  };
}
