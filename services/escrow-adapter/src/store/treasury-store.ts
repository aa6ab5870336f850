import { In, IsNull, Not } from 'typeorm';
import type { Instant } from '@holdfast/kernel/context';
import { insertMany, lockKey, type Database, type Tx } from '@holdfast/postgres';
import { transactions, wallets } from './schema.js';
import { toOpen, toRow } from './transaction-store.js';
import type { TreasuryStore } from '../use-cases/treasury/ports.js';
import { toWallet } from './wallet-store.js';

/** Inserts nothing where the account has an open transaction: one submission at a time per source account. */
const insertIfNoneOpen = insertMany({
  ...transactions,
  name: 'insert-treasury-transaction',
  suffix: `
  on conflict do nothing
  returning hash`,
});

/** Changes nothing beyond the limit; without a limit $3 is null. */
const requestActivation = {
  name: 'request-activation',
  text: `
  update wallets
  set activation_requested_at = coalesce(activation_requested_at, statement_timestamp())
  where user_id = $1
    and (
      activation_requested_at is not null
      or $3::integer is null
      or $3 > (
        select count(*)
        from wallets as requested
        where requested.marketplace_id = $2
          and requested.activation_requested_at > statement_timestamp() - interval '1 hour'
      )
    )
  returning user_id`,
};

/** `onRequested` is called after a commit that may have requested an activation. */
export function treasuryStore({ pool, lists }: Pick<Database, 'pool' | 'lists'>, onRequested: () => void): TreasuryStore {
  return {
    insertOpen: async (transaction) => {
      const row = toRow({ ...transaction, intentId: null, requestHash: transaction.hash });
      return (await pool.query(insertIfNoneOpen([row]))).rows.length === 1;
    },
    findOpen: async (sourceAccount) => {
      const row = await pool.manager.findOneBy(transactions.entity, { sourceAccount, state: 'OPEN' });
      return row === null ? undefined : toOpen(row);
    },
    end: ({ hash, state, ledger, activated, at }) =>
      pool.inTransaction(async (tx) => {
        const ended = await tx.manager.update(transactions.entity, { hash, state: 'OPEN' }, { state, ledger });
        if (ended.affected === 1 && state === 'LANDED' && activated.length > 0) await activate(tx, activated, at);
      }),
    requestActivation: ({ userId, marketplaceId }, perHourMax) =>
      pool.inTransaction(async (tx) => {
        // Requests of one marketplace are counted one after the other, so that two replicas cannot both take the last one.
        if (perHourMax !== undefined) await lockKey(tx, `holdfast:wallet-activations:${marketplaceId}`);
        tx.afterCommit(onRequested);
        return (await tx.query(requestActivation, [userId, marketplaceId, perHourMax ?? null])).length === 1;
      }),
    activate: (addresses, at) => activate(pool, addresses, at),
    waiting: async (take) => {
      const where = { activatedAt: IsNull(), activationRequestedAt: Not(IsNull()) };
      const order = { activationRequestedAt: 'asc' } as const;
      return (await lists.manager.find(wallets.entity, { where, order, take })).map(toWallet);
    },
    active: async (addresses) => {
      const found = await pool.manager.findBy(wallets.entity, { address: In(addresses), activatedAt: Not(IsNull()) });
      return found.map(({ address }) => address);
    },
  };
}

async function activate({ manager }: Pick<Tx, 'manager'>, addresses: readonly string[], activatedAt: Instant): Promise<void> {
  await manager.update(wallets.entity, { address: In(addresses), activatedAt: IsNull() }, { activatedAt });
}
