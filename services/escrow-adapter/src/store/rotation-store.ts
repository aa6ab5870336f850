import { selectList, type Database } from '@holdfast/postgres';
import { walletColumns, type WalletRow } from './schema.js';
import type { SealedSeed } from '@holdfast/ledger-network/signing';
import { lockIdentity, updateMasterKeys } from './identity-store.js';
import type { SealedWallet } from '../use-cases/wallets/ports.js';

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

/** Changes nothing while another key wraps a wallet. */
const keepMasterKey = `
  update installation_identity
  set master_key_ids = array[$1]
  where not exists (
    select 1
    from wallets
    where master_key_id <> $1
  )`;

type MasterKeysDecision = (masterKeyIds: readonly string[]) => readonly string[];

export type Rewrapped = { readonly before: SealedWallet; readonly after: SealedSeed };

export function rotationStore({ lists }: Pick<Database, 'lists'>) {
  return {
    /** No row before the first start that stores one. */
    begin: (decide: MasterKeysDecision): Promise<void> =>
      lists.inTransaction(async (tx) => {
        const stored = await lockIdentity(tx);
        if (stored !== undefined) await tx.query(updateMasterKeys, [decide(stored.masterKeyIds)]);
      }),
    /** From now on a start needs this key only. */
    end: async (masterKeyId: string): Promise<void> => {
      await lists.query(keepMasterKey, [masterKeyId]);
    },
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
