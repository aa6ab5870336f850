import type { Instant } from '@holdfast/shared/context';
import { userLedgerLinked, type CustodyAsset } from '@holdfast/shared/contracts/messages';
import { idFromParts, type MarketplaceId, type MessageId, type UserId, type WalletId } from '@holdfast/shared/ids';
import type { Outbox } from '@holdfast/shared/outbox';
import type { Database, Tx } from '@holdfast/shared/postgres';
import type { SealedSeed } from '../keys/wallet-keys.js';

export type Wallet = {
  readonly userId: UserId;
  readonly marketplaceId: MarketplaceId;
  readonly address: string;
  readonly createdAt: Instant;
  /** Null until the network is known to have the account. */
  readonly activatedAt: Instant | null;
};

export type SealedWallet = SealedSeed & { readonly userId: UserId; readonly address: string };

export type NewWallet = SealedWallet &
  UserOf & {
    readonly id: WalletId;
    readonly createdAt: Instant;
  };

export type UserOf = {
  readonly userId: UserId;
  readonly marketplaceId: MarketplaceId;
  /** The event that told of the user, where it has just been heard: that of the wallet is shown after it. */
  readonly afterEventId?: MessageId | undefined;
};

/** Of any number of parallel inserts one makes the wallet; the others wait for its commit and insert nothing. */
const insertWallets = `
  insert into wallets (user_id, id, marketplace_id, address, sealed_seed, wrapped_key, master_key_id, created_at)
  select *
  from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::bytea[], $6::bytea[], $7::text[], $8::timestamptz[])
    as made (user_id, id, marketplace_id, address, sealed_seed, wrapped_key, master_key_id, created_at)
  order by user_id
  on conflict (user_id) do nothing
  returning user_id as "userId"`;

const findWallets = `
  select user_id as "userId",
    marketplace_id as "marketplaceId",
    address,
    created_at as "createdAt",
    activated_at as "activatedAt"
  from wallets
  where user_id = any($1)`;

const findSealed = `
  select user_id as "userId",
    address,
    sealed_seed as "sealedSeed",
    wrapped_key as "wrappedKey",
    master_key_id as "masterKeyId"
  from wallets
  where user_id = $1`;

const findHoldings = {
  name: 'find-wallet-holdings',
  text: `
  select units
  from wallet_holdings
  where user_id = $1
    and asset = $2`,
};

const findUsersWithout = `
  select users.id as "userId",
    users.marketplace_id as "marketplaceId"
  from users
  where not exists (
    select 1
    from wallets
    where wallets.user_id = users.id
  )
  order by heard_at
  limit $1`;

export type WalletStore = ReturnType<typeof walletStore>;

export function walletStore({ database, outbox }: { readonly database: Database; readonly outbox: Outbox }) {
  const rows = async <Row>(sql: string, values: readonly unknown[]): Promise<readonly Row[]> =>
    (await database.pool.query(sql, [...values])).rows as readonly Row[];
  return {
    /** Makes those that are not there yet, and tells of each in the same commit. */
    make: (wallets: readonly NewWallet[], requestId: string): Promise<void> =>
      database.inTransaction(async (tx) => {
        const made = await tx.query<{ readonly userId: string }>(insertWallets, columnsOf(wallets));
        const isMade = new Set(made.map(({ userId }) => userId));
        for (const wallet of wallets.filter(({ userId }) => isMade.has(userId))) tellLinked(outbox, tx, wallet, requestId);
      }),
    find: (userIds: readonly UserId[]): Promise<readonly Wallet[]> => rows<Wallet>(findWallets, [userIds]),
    findSealed: async (userId: UserId): Promise<SealedWallet | undefined> => (await rows<SealedWallet>(findSealed, [userId]))[0],
    holdingsOf: async (userId: UserId, asset: CustodyAsset): Promise<bigint> => {
      const { rows: found } = await database.pool.query<{ readonly units: bigint }>({ values: [userId, asset], ...findHoldings });
      return found[0]?.units ?? 0n;
    },
    usersWithout: (countMax: number): Promise<readonly UserOf[]> => rows<UserOf>(findUsersWithout, [countMax]),
  };
}

function columnsOf(wallets: readonly NewWallet[]): readonly unknown[] {
  return [
    wallets.map(({ userId }) => userId),
    wallets.map(({ id }) => id),
    wallets.map(({ marketplaceId }) => marketplaceId),
    wallets.map(({ address }) => address),
    wallets.map(({ sealedSeed }) => sealedSeed),
    wallets.map(({ wrappedKey }) => wrappedKey),
    wallets.map(({ masterKeyId }) => masterKeyId),
    wallets.map(({ createdAt }) => createdAt),
  ];
}

function tellLinked(outbox: Outbox, tx: Tx, wallet: NewWallet, requestId: string): void {
  const { userId, marketplaceId, address, createdAt, afterEventId } = wallet;
  outbox.add(tx, userLedgerLinked, {
    id: idFromParts('evt', 'ledger linked', userId),
    aggregateId: userId,
    aggregatePart: 'wallet',
    aggregateVersion: 1,
    marketplaceId,
    correlationId: requestId,
    ...(afterEventId === undefined ? {} : { afterEventId }),
    payload: { userId, ledgerAddress: address, linkedAt: createdAt },
  });
}
