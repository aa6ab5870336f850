import type { Instant } from '@holdfast/shared/context';
import type { Database, Tx } from '@holdfast/shared/postgres';
import type { OpenTransaction } from '../../transactions/transaction-store.js';
import type { Wallet } from './wallet-store.js';

export type TreasuryStep = 'activate' | 'sweep' | 'treasury';

/** Refused where the account has an open transaction: one submission at a time per source account. */
const insertOpen = `
  insert into ledger_transactions (
    hash, intent_id, step, request_hash, source_account, sequence, envelope, valid_until, state
  )
  values ($1, null, $2, $1, $3, $4, $5, $6, 'OPEN')
  on conflict do nothing
  returning hash`;

const findOpen = `
  select hash,
    step,
    source_account as "sourceAccount",
    sequence,
    envelope,
    valid_until as "validUntil"
  from ledger_transactions
  where source_account = $1
    and state = 'OPEN'`;

const endTransaction = `
  update ledger_transactions
  set state = $2
  where hash = $1
    and state = 'OPEN'
  returning hash`;

const activateWallets = `
  update wallets
  set activated_at = $2
  where address = any($1)
    and activated_at is null`;

const noteUntold = `
  insert into untold_transactions (hash)
  values ($1)
  on conflict (hash) do nothing`;

const findWaiting = `
  select user_id as "userId",
    marketplace_id as "marketplaceId",
    address,
    created_at as "createdAt",
    activated_at as "activatedAt"
  from wallets
  where activated_at is null
  order by created_at
  limit $1`;

const findActive = `
  select address
  from wallets
  where address = any($1)
    and activated_at is not null`;

export type Ended = {
  readonly hash: string;
  readonly state: 'LANDED' | 'FAILED' | 'DEAD';
  /** Wallets that are complete by it. */
  readonly activated: readonly string[];
  readonly at: Instant;
};

export type TellerStore = ReturnType<typeof tellerStore>;

/** `keepsUntold` where the network's whole history is not read: what was done here must be looked up later. */
export function tellerStore(database: Database, keepsUntold: boolean) {
  const rows = async <Row>(sql: string, values: readonly unknown[]): Promise<readonly Row[]> =>
    (await database.pool.query(sql, [...values])).rows as readonly Row[];
  return {
    /** False where another transaction of the account is open. */
    keep: async ({ hash, step, sourceAccount, sequence, envelope, validUntil }: OpenTransaction): Promise<boolean> =>
      (await rows(insertOpen, [hash, step, sourceAccount, sequence, envelope, validUntil])).length === 1,
    findOpen: async (sourceAccount: string): Promise<OpenTransaction | undefined> =>
      (await rows<OpenTransaction>(findOpen, [sourceAccount]))[0],
    end: ({ hash, state, activated, at }: Ended): Promise<void> =>
      database.inTransaction(async (tx) => {
        const wasOpen = (await tx.query(endTransaction, [hash, state])).length === 1;
        if (!wasOpen || state === 'DEAD') return;
        if (keepsUntold) noteLanded(tx, hash);
        if (state === 'LANDED' && activated.length > 0) await tx.query(activateWallets, [activated, at]);
      }),
    /** They were found to be complete already. */
    activate: async (addresses: readonly string[], at: Instant): Promise<void> => {
      await rows(activateWallets, [addresses, at]);
    },
    waiting: (countMax: number): Promise<readonly Wallet[]> => rows<Wallet>(findWaiting, [countMax]),
    active: async (addresses: readonly string[]): Promise<readonly string[]> =>
      (await rows<{ readonly address: string }>(findActive, [addresses])).map(({ address }) => address),
  };
}

/** To be looked up and told of later; stored with the commit. */
export function noteLanded(tx: Tx, hash: string): void {
  tx.defer(noteUntold, [hash]);
}
