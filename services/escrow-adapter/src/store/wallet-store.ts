import { In } from 'typeorm';
import { auditRecorded, stepMessageIds, userLedgerLinked } from '@holdfast/contracts/messages';
import type { CustodyAsset } from '@holdfast/kernel/money';
import type { UserId } from '@holdfast/kernel/ids';
import type { Outbox } from '@holdfast/messaging/outbox';
import { insertMany, type Database, type Tx } from '@holdfast/postgres';
import { wallets, type HoldingRow, type WalletRow } from './schema.js';
import type { NewWallet, SealedWallet, Wallet, WalletOwner } from '../use-cases/wallets/ports.js';

/** Of concurrent inserts one creates the wallet; the others wait for its commit and insert nothing. */
const insertWallets = insertMany({
  ...wallets,
  name: 'insert-wallets',
  suffix: `
  on conflict (user_id) do nothing
  returning user_id as "userId"`,
});

const findHolding = {
  name: 'find-wallet-holding',
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
  order by received_at
  limit $1`;

export function walletStore({ database, outbox }: { readonly database: Database; readonly outbox: Outbox }) {
  const { pool, lists } = database;
  return {
    /** Inserts the wallets that do not exist yet. Publishes `user.ledger_linked` and an audit entry for each in the same commit. */
    make: (given: readonly NewWallet[], requestId: string): Promise<void> =>
      database.inTransaction(async (tx) => {
        const rows = given.map(toRow).toSorted((one, other) => (one.userId < other.userId ? -1 : 1));
        const made = await tx.query<Pick<WalletRow, 'userId'>>(insertWallets(rows));
        const isMade = new Set(made.map(({ userId }) => userId));
        for (const wallet of given.filter(({ userId }) => isMade.has(userId))) publishLedgerLinked(outbox, tx, wallet, requestId);
      }),
    find: async (userIds: readonly UserId[]): Promise<readonly Wallet[]> =>
      (await pool.manager.findBy(wallets.entity, { userId: In(userIds) })).map(toWallet),
    findSealed: async (userId: UserId): Promise<SealedWallet | undefined> =>
      (await pool.manager.findOneBy(wallets.entity, { userId })) ?? undefined,
    holdingsOf: async (userId: UserId, asset: CustodyAsset): Promise<bigint> =>
      (await pool.query<Pick<HoldingRow, 'units'>>(findHolding, [userId, asset])).rows[0]?.units ?? 0n,
    usersWithout: async (countMax: number): Promise<readonly WalletOwner[]> =>
      (await lists.query<WalletOwner>(findUsersWithout, [countMax])).rows,
  };
}

function toRow({ afterEventId: _, ...wallet }: NewWallet): WalletRow {
  return { ...wallet, activationRequestedAt: null, activatedAt: null };
}

export function toWallet(row: WalletRow): Wallet {
  const { userId, marketplaceId, address, createdAt, activationRequestedAt, activatedAt } = row;
  return { userId, marketplaceId, address, createdAt, activationRequestedAt, activatedAt };
}

/** No caller requests a wallet: it is created with the user, or when it is first needed. */
const actor = { actorType: 'system', actorId: 'escrow-adapter' };

function publishLedgerLinked(outbox: Outbox, tx: Tx, wallet: NewWallet, requestId: string): void {
  const { id: walletId, userId, marketplaceId, address, createdAt, afterEventId } = wallet;
  const messageId = stepMessageIds({ cause: walletId, name: 'make', at: createdAt });
  const envelope = { aggregateId: userId, aggregatePart: 'wallet', aggregateVersion: 1, marketplaceId, correlationId: requestId };
  const linked = outbox.add(tx, userLedgerLinked, {
    ...envelope,
    id: messageId(userLedgerLinked.type),
    // The wallet is made because the user was created; without that event it was needed before the message arrived.
    causationId: afterEventId,
    afterEventId,
    payload: { userId, ledgerAddress: address, walletType: 'INVISIBLE', linkedAt: createdAt },
  });
  outbox.add(tx, auditRecorded, {
    ...envelope,
    id: messageId('WALLET_LINKED'),
    afterEventId: linked.id,
    payload: {
      action: 'WALLET_LINKED',
      resourceType: 'Wallet',
      resourceId: walletId,
      relatedIds: [userId],
      ...actor,
      result: 'SUCCESS',
      reason: null,
      before: null,
      after: { userId, ledgerAddress: address, walletType: 'INVISIBLE' },
      recordedAt: createdAt,
    },
  });
}
