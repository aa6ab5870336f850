import { In, IsNull, Not } from 'typeorm';
import type { Instant } from '@holdfast/kernel/context';
import { insertMany, type Database, type Tx } from '@holdfast/postgres';
import { transactions, wallets } from '../../store/schema.js';
import { toOpen, toRow } from '../../transactions/transaction-store.js';
import type { EndState, OpenTransaction } from '../../use-cases/ports.js';
import { toWallet, type Wallet } from './wallet-store.js';

export type TreasuryStep = 'activate' | 'sweep' | 'treasury' | 'extend' | 'restore';

/** Inserts nothing where the account has an open transaction: one submission at a time per source account. */
const insertIfNoneOpen = insertMany({
  ...transactions,
  name: 'insert-treasury-transaction',
  suffix: `
  on conflict do nothing
  returning hash`,
});

/** Requests of one marketplace are counted one after the other, so that two replicas cannot both take the last one. */
const lockMarketplace = {
  name: 'lock-activations-of-marketplace',
  text: `select pg_advisory_xact_lock(hashtext('wallet activations'), hashtext($1))`,
};

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

export type Ended = {
  readonly hash: string;
  readonly state: EndState;
  readonly ledger: number | null;
  /** Addresses of wallets that the transaction has activated. */
  readonly activated: readonly string[];
  readonly at: Instant;
};

export type TreasuryStore = ReturnType<typeof treasuryStore>;

export function treasuryStore({ pool, lists }: Pick<Database, 'pool' | 'lists'>) {
  return {
    /** False where another transaction of the account is open. */
    insertOpen: async (transaction: OpenTransaction): Promise<boolean> => {
      const row = toRow({ ...transaction, intentId: null, requestHash: transaction.hash });
      return (await pool.query(insertIfNoneOpen([row]))).rows.length === 1;
    },
    findOpen: async (sourceAccount: string): Promise<OpenTransaction | undefined> => {
      const row = await pool.manager.findOneBy(transactions.entity, { sourceAccount, state: 'OPEN' });
      return row === null ? undefined : toOpen(row);
    },
    end: ({ hash, state, ledger, activated, at }: Ended): Promise<void> =>
      pool.inTransaction(async (tx) => {
        const ended = await tx.manager.update(transactions.entity, { hash, state: 'OPEN' }, { state, ledger });
        if (ended.affected === 1 && state === 'LANDED' && activated.length > 0) await activate(tx, activated, at);
      }),
    /** Wallets are activated once this was requested. False where the marketplace has reached the limit of the last hour. */
    requestActivation: ({ userId, marketplaceId }: Wallet, perHourMax: number | undefined): Promise<boolean> =>
      pool.inTransaction(async (tx) => {
        if (perHourMax !== undefined) await tx.query(lockMarketplace, [marketplaceId]);
        return (await tx.query(requestActivation, [userId, marketplaceId, perHourMax ?? null])).length === 1;
      }),
    /** For wallets whose accounts the network had already. */
    activate: (addresses: readonly string[], at: Instant): Promise<void> => activate(pool, addresses, at),
    waiting: async (take: number): Promise<readonly Wallet[]> => {
      const where = { activatedAt: IsNull(), activationRequestedAt: Not(IsNull()) };
      const order = { activationRequestedAt: 'asc' } as const;
      return (await lists.manager.find(wallets.entity, { where, order, take })).map(toWallet);
    },
    active: async (addresses: readonly string[]): Promise<readonly string[]> => {
      const found = await pool.manager.findBy(wallets.entity, { address: In(addresses), activatedAt: Not(IsNull()) });
      return found.map(({ address }) => address);
    },
  };
}

async function activate({ manager }: Pick<Tx, 'manager'>, addresses: readonly string[], activatedAt: Instant): Promise<void> {
  await manager.update(wallets.entity, { address: In(addresses), activatedAt: IsNull() }, { activatedAt });
}
