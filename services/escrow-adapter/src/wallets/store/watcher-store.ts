import { balanceDepositReceived, custodyTransactionLanded, depositMessageId } from '@holdfast/shared/contracts/messages';
import { defaultMarketplaceId, idFromParts, type MarketplaceId, type UserId } from '@holdfast/shared/ids';
import { formatUnits } from '@holdfast/shared/money';
import type { Outbox } from '@holdfast/shared/outbox';
import type { Database, Statement, Tx } from '@holdfast/shared/postgres';
import { toPayload, type Deposit, type OwnPlace } from '../custody/legs.js';
import type { NotedTransaction, WatcherStore } from '../custody/watcher.js';

const findCursor = {
  name: 'find-feed-cursor',
  text: `
  select cursor
  from feed_cursors
  where name = $1`,
};

/** Whoever read from another place than where the cursor stands has read in vain. */
const moveCursor = {
  name: 'move-feed-cursor',
  text: `
  insert into feed_cursors (name, cursor)
  values ($1, $3)
  on conflict (name) do update
  set cursor = excluded.cursor
  where feed_cursors.cursor = $2
  returning name`,
};

const tellTransactions = {
  name: 'tell-ledger-transactions',
  text: `
  insert into told_transactions (hash)
  select hash
  from unnest($1::text[]) as hash
  order by hash
  on conflict (hash) do nothing
  returning hash`,
};

const forgetUntold = {
  name: 'forget-untold-transactions',
  text: `
  delete from untold_transactions
  where hash = any($1)`,
};

const moveHoldings = {
  name: 'move-wallet-holdings',
  text: `
  insert into wallet_holdings (user_id, asset, units)
  select user_id, asset, sum(units)
  from unnest($1::text[], $2::text[], $3::bigint[]) as moved (user_id, asset, units)
  group by user_id, asset
  order by user_id, asset
  on conflict (user_id, asset) do update
  set units = wallet_holdings.units + excluded.units`,
};

const findWallets = {
  name: 'find-wallets-by-address',
  text: `
  select address, user_id as "ownerId", marketplace_id as "marketplaceId"
  from wallets
  where address = any($1)`,
};

const findContracts = {
  name: 'find-contracts-by-address',
  text: `
  select contract_id as address, order_id as "ownerId"
  from contracts
  where contract_id = any($1)`,
};

const findOwn = {
  name: 'find-own-hashes',
  text: `
  select hash
  from ledger_transactions
  where hash = any($1)`,
};

const findUntold = {
  name: 'find-untold-transactions',
  text: `
  select hash
  from untold_transactions
  order by landed_at
  limit 100`,
};

const findAddresses = {
  name: 'find-wallet-addresses',
  text: `
  select address
  from wallets
  order by created_at desc`,
};

export type WatcherStoreDeps = {
  readonly database: Database;
  readonly outbox: Outbox;
  /** The accounts of the platform itself. */
  readonly platformPlaces: ReadonlyMap<string, OwnPlace>;
};

export function watcherStore(deps: WatcherStoreDeps): WatcherStore {
  const { database, platformPlaces } = deps;
  const rows = async <Row>(statement: Statement, values: readonly unknown[] = []): Promise<readonly Row[]> =>
    (await database.pool.query({ ...statement, values: [...values] })).rows as readonly Row[];
  return {
    cursor: async (name) => (await rows<{ readonly cursor: string }>(findCursor, [name]))[0]?.cursor ?? '',
    placesOf: async (addresses) => {
      const [wallets, contracts] = await Promise.all([
        rows<WalletRow>(findWallets, [addresses.filter((address) => address.startsWith('G'))]),
        rows<ContractRow>(findContracts, [addresses.filter((address) => address.startsWith('C'))]),
      ]);
      const places = new Map<string, OwnPlace>(platformPlaces);
      for (const { address, ...owner } of wallets) places.set(address, { place: 'wallet', ...owner });
      for (const { address, ...owner } of contracts) places.set(address, { place: 'contract', ...owner });
      return (address) => places.get(address);
    },
    ownHashes: async (hashes) =>
      new Set(hashes.length === 0 ? [] : (await rows<{ readonly hash: string }>(findOwn, [hashes])).map(({ hash }) => hash)),
    note: (transactions, move) =>
      database.inTransaction(async (tx) => {
        if (move !== undefined && (await tx.query(moveCursor, [move.name, move.from, move.to])).length === 0) return undefined;
        return tellNew(deps, tx, transactions);
      }),
    watchedAddresses: async () => [
      ...platformPlaces.keys(),
      ...(await rows<{ readonly address: string }>(findAddresses)).map(({ address }) => address),
    ],
    untoldHashes: async () => (await rows<{ readonly hash: string }>(findUntold)).map(({ hash }) => hash),
  };
}

type WalletRow = { readonly address: string; readonly ownerId: UserId; readonly marketplaceId: MarketplaceId };
type ContractRow = { readonly address: string; readonly ownerId: string };

async function tellNew(deps: WatcherStoreDeps, tx: Tx, transactions: readonly NotedTransaction[]): Promise<readonly Deposit[]> {
  const hashes = transactions.map(({ hash }) => hash);
  if (hashes.length === 0) return [];
  const added = await tx.query<{ readonly hash: string }>(tellTransactions, [hashes]);
  tx.defer(forgetUntold, [hashes]);
  const isNew = new Set(added.map(({ hash }) => hash));
  const fresh = transactions.filter(({ hash }) => isNew.has(hash));
  const ofWallets = fresh.flatMap(({ legs }) => legs).filter(({ place }) => place === 'wallet');
  tx.defer(moveHoldings, [
    ofWallets.map(({ ownerId }) => ownerId),
    ofWallets.map(({ asset }) => asset),
    ofWallets.map(({ units }) => units.toString()),
  ]);
  for (const transaction of fresh) tell(deps, tx, transaction);
  return fresh.flatMap(({ deposits }) => deposits);
}

/** The ids of the messages follow from what they tell of: told again, they are the same messages. */
function tell({ outbox }: WatcherStoreDeps, tx: Tx, { hash, legs, deposits }: NotedTransaction): void {
  outbox.add(tx, custodyTransactionLanded, {
    id: idFromParts('evt', 'custody', hash),
    aggregateId: hash,
    aggregateVersion: 1,
    marketplaceId: deposits[0]?.marketplaceId ?? defaultMarketplaceId,
    correlationId: hash,
    payload: toPayload(hash, legs),
  });
  for (const { userId, marketplaceId, operationId, asset, units } of deposits) {
    outbox.add(tx, balanceDepositReceived, {
      id: depositMessageId(operationId),
      aggregateId: userId,
      aggregatePart: `deposit ${operationId}`,
      aggregateVersion: 1,
      marketplaceId,
      correlationId: hash,
      payload: { userId, amount: formatUnits(units), currency: asset, operationId },
    });
  }
}
