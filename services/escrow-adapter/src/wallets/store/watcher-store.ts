import { LRUCache } from 'lru-cache';
import { custodyTransactionsLanded } from '@holdfast/contracts/messages';
import { defaultMarketplaceId, isId } from '@holdfast/kernel/ids';
import { insertMany, type Database, type Statement, type Tx } from '@holdfast/postgres';
import { cursorSchema, holdingColumns, quarantinedColumns, type HoldingRow } from '../../store/schema.js';
import { groupIntoMessages, toPayload } from '../custody/landed-message.js';
import type { Findings, WatchedTransaction } from '../custody/findings.js';
import type { OwnPlace } from '../custody/legs.js';
import type { QuarantinedRecord } from '../custody/quarantine.js';
import type { Published, WatcherStore } from '../custody/watcher.js';
import { publishDeposits, publishQuarantined, publishUnknownDeposits, type DepositMessageDeps } from './deposit-messages.js';

/** Publishes nothing if another process has moved the cursor since it was read. */
const publishTransactions = {
  name: 'publish-ledger-transactions',
  text: `
  with moved as (
    insert into feed_cursors (name, cursor)
    values ($2, $4)
    on conflict (name) do update
    set cursor = excluded.cursor
    where feed_cursors.cursor = $3
    returning name
  ),
  published as (
    insert into published_transactions (hash)
    select hash
    from moved,
      unnest($1::text[]) as hash
    order by hash
    on conflict (hash) do nothing
    returning hash
  )
  select exists (select from moved) as "mayPublish",
    array(select hash from published) as hashes`,
};

const beginCursor = {
  name: 'begin-ledger-history',
  text: `
  insert into feed_cursors (name, cursor)
  values ($1, $2)
  on conflict (name) do nothing`,
};

const insertQuarantined = insertMany({
  name: 'insert-quarantined-records',
  table: 'quarantined_records',
  columns: quarantinedColumns,
  suffix: `
  on conflict (id) do nothing
  returning id`,
});

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

export type WatcherStoreDeps = DepositMessageDeps & {
  readonly database: Database;
  /** The accounts of the platform itself. */
  readonly platformPlaces: ReadonlyMap<string, OwnPlace>;
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
    begin: async (name, cursor) => {
      await lists.query(beginCursor, [name, cursor]);
    },
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
    publish: (findings, move) =>
      lists.inTransaction(async (tx) => {
        const hashes = findings.transactions.map(({ hash }) => hash);
        const [published] = await tx.query<PublishedRow>(publishTransactions, [hashes, move.name, move.from, move.to]);
        if (published?.mayPublish !== true) return undefined;
        const isNew = new Set(published.hashes);
        const transactions = findings.transactions.filter(({ hash }) => isNew.has(hash));
        return publish(deps, tx, { transactions, quarantined: await insertNew(tx, findings.quarantined) });
      }),
  };
}

function entryOf(address: string, place: OwnPlace | undefined): readonly (readonly [string, OwnPlace])[] {
  return place === undefined ? [] : [[address, place]];
}

type PlaceRow = Extract<OwnPlace, { readonly place: 'wallet' | 'contract' }> & { readonly address: string };
/** A record without a position is read again until a later one follows it. */
async function insertNew(tx: Tx, records: readonly QuarantinedRecord[]): Promise<readonly QuarantinedRecord[]> {
  if (records.length === 0) return [];
  const rows = records.map(({ id, record, reason, userIds }) => ({ id, record, reason, userIds }));
  const inserted = new Set((await tx.query<{ readonly id: string }>(insertQuarantined(rows))).map(({ id }) => id));
  return records.filter(({ id }) => inserted.has(id));
}

type PublishedRow = { readonly mayPublish: boolean; readonly hashes: readonly string[] };

/** The same commit inserts the hashes into `published_transactions`, so each transaction is published once. */
function publish(deps: WatcherStoreDeps, tx: Tx, { transactions, quarantined }: Omit<Findings, 'skipped'>): Published {
  const holdings = holdingsIn(transactions);
  if (holdings.length > 0) tx.defer(addHoldings(holdings));
  for (const group of groupIntoMessages(transactions.filter(({ legs }) => legs.length > 0))) {
    const [{ hash: aggregateId }] = group;
    deps.outbox.add(tx, custodyTransactionsLanded, {
      aggregateId,
      aggregateVersion: 1,
      marketplaceId: defaultMarketplaceId,
      correlationId: aggregateId,
      payload: toPayload(group),
    });
  }
  const deposits = transactions.flatMap((transaction) => transaction.deposits);
  publishDeposits(deps, tx, deposits);
  for (const { hash, unknownDeposits } of transactions) publishUnknownDeposits(deps, tx, { hash, unknownDeposits });
  publishQuarantined(deps, tx, quarantined);
  return { deposits, quarantined };
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
