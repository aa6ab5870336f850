import { LRUCache } from 'lru-cache';
import { balanceDepositReceived, custodyTransactionsLanded, depositMessageId } from '@holdfast/contracts/messages';
import { defaultMarketplaceId, isId } from '@holdfast/kernel/ids';
import { formatUnits } from '@holdfast/kernel/money';
import type { Outbox } from '@holdfast/messaging/outbox';
import { insertMany, type Database, type Statement, type Tx } from '@holdfast/postgres';
import { depositSaga } from '@holdfast/contracts/sagas';
import { cursorSchema, holdingColumns, type HoldingRow } from '../../store/schema.js';
import { groupIntoMessages, toPayload } from '../custody/landed-message.js';
import type { CreditedCurrency } from '../custody/credited-currency.js';
import type { Deposit, OwnPlace } from '../custody/legs.js';
import type { WatchedTransaction, WatcherStore } from '../custody/watcher.js';

/** Publishes nothing if another process has moved the cursor since it was read. */
const publishTransactions = {
  name: 'publish-ledger-transactions',
  text: `
  with moved as (
    insert into feed_cursors (name, cursor)
    select $2, $4
    where $2::text is not null
    on conflict (name) do update
    set cursor = excluded.cursor
    where feed_cursors.cursor = $3
    returning name
  ),
  may_publish as (
    select
    where $2::text is null
      or exists (select from moved)
  ),
  published as (
    insert into published_transactions (hash)
    select hash
    from may_publish,
      unnest($1::text[]) as hash
    order by hash
    on conflict (hash) do nothing
    returning hash
  )
  select exists (select from may_publish) as "mayPublish",
    array(select hash from published) as hashes`,
};

const deleteUnpublished = {
  name: 'delete-unpublished-transactions',
  text: `
  delete from unpublished_transactions
  where hash = any($1)`,
};

const addHoldings = insertMany({
  name: 'add-wallet-holdings',
  table: 'wallet_holdings',
  columns: holdingColumns,
  suffix: `
  on conflict (user_id, asset) do update
  set units = wallet_holdings.units + excluded.units`,
});

const findPlaces = {
  name: 'find-places-by-address',
  text: `
  select address, 'wallet' as place, user_id as "ownerId", marketplace_id as "marketplaceId"
  from wallets
  where address = any($1)
  union all
  select contract_id, 'contract', order_id, marketplace_id
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

const findUnpublished = {
  name: 'find-unpublished-transactions',
  text: `
  select hash
  from unpublished_transactions
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
  readonly creditedCurrency: CreditedCurrency;
};

/** The place of an address never changes, so cached entries never expire. */
const placesMax = 20_000;

export function watcherStore(deps: WatcherStoreDeps): WatcherStore {
  const { platformPlaces } = deps;
  const { lists } = deps.database;
  const rows = async <Row>(statement: Statement, values: readonly unknown[] = []): Promise<readonly Row[]> =>
    (await lists.query<Row>(statement, values)).rows;
  const places = new LRUCache<string, OwnPlace>({ max: placesMax });
  return {
    cursor: async (name) => (await lists.manager.findOneBy(cursorSchema, { name }))?.cursor ?? '',
    placesOf: async (addresses) => {
      const known = new Map(addresses.flatMap((address) => entryOf(address, platformPlaces.get(address) ?? places.get(address))));
      const unknown = addresses.filter((address) => !known.has(address));
      const found = unknown.length === 0 ? [] : await rows<PlaceRow>(findPlaces, [unknown]);
      for (const { address, ...place } of found) {
        places.set(address, place);
        known.set(address, place);
      }
      return (address) => known.get(address);
    },
    ownHashes: async (hashes) =>
      new Set(hashes.length === 0 ? [] : (await rows<{ readonly hash: string }>(findOwn, [hashes])).map(({ hash }) => hash)),
    publish: (transactions, move) =>
      lists.inTransaction(async (tx) => {
        const hashes = transactions.map(({ hash }) => hash);
        const [published] = await tx.query<PublishedRow>(publishTransactions, [hashes, move?.name, move?.from, move?.to]);
        if (published?.mayPublish !== true) return undefined;
        const isNew = new Set(published.hashes);
        if (hashes.length > 0) tx.defer(deleteUnpublished, [hashes]);
        return publish(
          deps,
          tx,
          transactions.filter(({ hash }) => isNew.has(hash)),
        );
      }),
    watchedAddresses: async () => [
      ...platformPlaces.keys(),
      ...(await rows<{ readonly address: string }>(findAddresses)).map(({ address }) => address),
    ],
    unpublishedHashes: async () => (await rows<{ readonly hash: string }>(findUnpublished)).map(({ hash }) => hash),
  };
}

function entryOf(address: string, place: OwnPlace | undefined): readonly (readonly [string, OwnPlace])[] {
  return place === undefined ? [] : [[address, place]];
}

type PlaceRow = Extract<OwnPlace, { readonly place: 'wallet' | 'contract' }> & { readonly address: string };
type PublishedRow = { readonly mayPublish: boolean; readonly hashes: readonly string[] };

/** The same commit inserts the hashes into `published_transactions`, so each transaction is published once. */
function publish(deps: WatcherStoreDeps, tx: Tx, transactions: readonly WatchedTransaction[]): readonly Deposit[] {
  if (transactions.length === 0) return [];
  const { outbox } = deps;
  const holdings = holdingsIn(transactions);
  if (holdings.length > 0) tx.defer(addHoldings(holdings));
  for (const group of groupIntoMessages(transactions)) {
    const [{ hash: aggregateId }] = group;
    outbox.add(tx, custodyTransactionsLanded, {
      aggregateId,
      aggregateVersion: 1,
      marketplaceId: defaultMarketplaceId,
      correlationId: aggregateId,
      payload: toPayload(group),
    });
  }
  const deposits = transactions.flatMap((transaction) => transaction.deposits);
  for (const deposit of deposits) publishDeposit(deps, tx, deposit);
  return deposits;
}

/** The changes of wallet holdings, sorted by key so that concurrent transactions lock the rows in one order. */
function holdingsIn(transactions: readonly WatchedTransaction[]): readonly HoldingRow[] {
  const sums = new Map<string, HoldingRow>();
  for (const { place, ownerId, asset, units } of transactions.flatMap(({ legs }) => legs)) {
    if (place !== 'wallet' || ownerId === undefined || !isId(ownerId, 'usr')) continue;
    const key = `${ownerId} ${asset}`;
    sums.set(key, { userId: ownerId, asset, units: (sums.get(key)?.units ?? 0n) + units });
  }
  return [...sums.entries()].toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([, holding]) => holding);
}

function publishDeposit({ outbox, creditedCurrency }: WatcherStoreDeps, tx: Tx, deposit: Deposit): void {
  const { userId, marketplaceId, operationId, transactionHash, asset, units } = deposit;
  outbox.add(tx, balanceDepositReceived, {
    id: depositMessageId(deposit),
    aggregateId: userId,
    aggregatePart: `deposit ${operationId}`,
    aggregateVersion: 1,
    marketplaceId,
    correlationId: transactionHash,
    saga: depositSaga.name,
    payload: { userId, amount: formatUnits(units), currency: creditedCurrency(asset), operationId },
  });
}
