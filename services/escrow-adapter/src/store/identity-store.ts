import { columnsOf, insertMany, selectList, type Database, type Tx } from '@holdfast/postgres';
import { walletColumns, type WalletRow } from './schema.js';
import type { StoredIdentity } from '../domain/installation.js';
import type { LockedIdentity } from '../use-cases/wallets/ports.js';

const identityColumns = columnsOf<StoredIdentity>()({
  treasuryAddress: { column: 'treasury_address', type: 'text' },
  platformAddress: { column: 'platform_address', type: 'text' },
  usdcIssuer: { column: 'usdc_issuer', type: 'text' },
  networkPassphrase: { column: 'network_passphrase', type: 'text' },
  masterKeyIds: { column: 'master_key_ids', type: 'text[]' },
});

const insertIdentity = insertMany({
  name: 'insert-installation-identity',
  table: 'installation_identity',
  columns: identityColumns,
  suffix: `
  on conflict do nothing
  returning is_only_row`,
});

const findForUpdate = `
  select ${selectList(identityColumns, 'installation_identity')}
  from installation_identity
  for update`;

const findSamples = `
  select distinct on (master_key_id) ${selectList(walletColumns, 'wallets')}
  from wallets
  order by master_key_id, user_id`;

export const updateMasterKeys = `
  update installation_identity
  set master_key_ids = $1`;

export function identityStore({ lists }: Pick<Database, 'lists'>) {
  return {
    /** A transaction on the one row. Processes that start at the same time run it one after the other. */
    onLocked: (given: StoredIdentity, decide: (row: LockedIdentity) => readonly string[]): Promise<void> =>
      lists.inTransaction(async (tx) => {
        const isNew = (await tx.query(insertIdentity([given]))).length === 1;
        const stored = (await lockIdentity(tx)) ?? given;
        const samples = isNew ? await tx.query<WalletRow>(findSamples) : [];
        await tx.query(updateMasterKeys, [decide({ stored, samples })]);
      }),
  };
}

export async function lockIdentity(tx: Tx): Promise<StoredIdentity | undefined> {
  const [stored] = await tx.query<StoredIdentity>(findForUpdate);
  return stored;
}
