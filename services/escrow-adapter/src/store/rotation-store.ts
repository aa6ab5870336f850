import { Not } from 'typeorm';
import type { Database } from '@holdfast/postgres';
import { wallets } from './schema.js';
import type { SealedSeed } from '@holdfast/ledger-network/signing';
import { lockIdentity, saveMasterKeys } from './identity-store.js';
import type { SealedWallet } from '../use-cases/wallets/ports.js';

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
        if (stored !== undefined) await saveMasterKeys(tx, decide(stored.masterKeyIds));
      }),
    /** From now on a start needs this key only. */
    end: async (masterKeyId: string): Promise<void> => {
      await lists.query(keepMasterKey, [masterKeyId]);
    },
    wrappedByOthers: (masterKeyId: string, take: number): Promise<readonly SealedWallet[]> =>
      lists.manager.find(wallets.entity, { where: { masterKeyId: Not(masterKeyId) }, order: { userId: 'asc' }, take }),
    /** A wallet is written only while it is still wrapped by the key that it was read with. */
    rewrap: (rewrapped: readonly Rewrapped[]): Promise<void> =>
      lists.inTransaction(async (tx) => {
        for (const { before, after } of rewrapped) {
          const { userId, masterKeyId } = before;
          const wrapped = { wrappedKey: after.wrappedKey, masterKeyId: after.masterKeyId };
          await tx.manager.update(wallets.entity, { userId, masterKeyId }, wrapped);
        }
      }),
  };
}
