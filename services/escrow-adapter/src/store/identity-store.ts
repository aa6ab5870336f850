import { insertMany, type Database, type Tx } from '@holdfast/postgres';
import { identities } from './custody-schema.js';
import { wallets, type WalletRow } from './schema.js';
import type { StoredIdentity } from '../domain/installation.js';
import type { LockedIdentity } from '../use-cases/wallets/ports.js';

const insertIdentity = insertMany({
  ...identities,
  name: 'insert-installation-identity',
  suffix: `
  on conflict do nothing
  returning is_only_row`,
});

const onlyRow = { isOnlyRow: true } as const;

const findSamples = `
  select distinct on (master_key_id) ${wallets.selected}
  from wallets
  order by master_key_id, user_id`;

export function identityStore({ lists }: Pick<Database, 'lists'>) {
  return {
    /** A transaction on the one row. Processes that start at the same time run it one after the other. */
    onLocked: (given: StoredIdentity, decide: (row: LockedIdentity) => readonly string[]): Promise<void> =>
      lists.inTransaction(async (tx) => {
        const isNew = (await tx.query(insertIdentity([{ ...given, ...onlyRow }]))).length === 1;
        const stored = (await lockIdentity(tx)) ?? given;
        const samples = isNew ? await tx.query<WalletRow>(findSamples) : [];
        await saveMasterKeys(tx, decide({ stored, samples }));
      }),
  };
}

export async function lockIdentity(tx: Tx): Promise<StoredIdentity | undefined> {
  return (await tx.manager.findOne(identities.entity, { where: onlyRow, lock: { mode: 'pessimistic_write' } })) ?? undefined;
}

export async function saveMasterKeys(tx: Tx, masterKeyIds: readonly string[]): Promise<void> {
  await tx.manager.update(identities.entity, onlyRow, { masterKeyIds });
}
