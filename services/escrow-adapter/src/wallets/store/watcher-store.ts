import { balanceDepositReceived, custodyTransactionsLanded, depositMessageId } from '@holdfast/shared/contracts/messages';
import { defaultMarketplaceId, idFromParts } from '@holdfast/shared/ids';
import { formatUnits } from '@holdfast/shared/money';
import type { Outbox } from '@holdfast/shared/outbox';
import type { Database, Statement, Tx } from '@holdfast/shared/postgres';
import { depositSaga } from '@holdfast/shared/sagas';
import { inMessages, toPayload } from '../custody/landed-message.js';
import type { Deposit, OwnPlace } from '../custody/legs.js';
import type { NotedTransaction, WatcherStore } from '../custody/watcher.js';

const findCursor = {
  name: 'find-feed-cursor',
  text: `
  select cursor
  from feed_cursors
  where name = $1`,
};

/** Whoever read from another place than where the cursor stands has read in vain, and tells nothing. */
const tellTransactions = {
  name: 'tell-ledger-transactions',
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
  may_tell as (
    select
    where $2::text is null
      or exists (select from moved)
  ),
  told as (
    insert into told_transactions (hash)
    select hash
    from may_tell,
      unnest($1::text[]) as hash
    order by hash
    on conflict (hash) do nothing
    returning hash
  )
  select exists (select from may_tell) as "mayTell",
    array(select hash from told) as hashes`,
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

/** Each by its index: `any` is planned for the few rows of the beginning, and would read all of them for good. */
const findPlaces = {
  name: 'find-places-by-address',
  text: `
  select address, 'wallet' as place, user_id as "ownerId", marketplace_id as "marketplaceId"
  from unnest($1::text[]) as given (address)
  cross join lateral (
    select user_id, marketplace_id
    from wallets
    where wallets.address = given.address
    limit 1
  ) as wallet
  union all
  select address, 'contract', order_id, marketplace_id
  from unnest($2::text[]) as given (address)
  cross join lateral (
    select order_id, marketplace_id
    from contracts
    where contract_id = given.address
    limit 1
  ) as contract`,
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

/** Whose an address of ours is never changes. Beyond this many all are looked up again. */
const rememberedMax = 20_000;

export function watcherStore(deps: WatcherStoreDeps): WatcherStore {
  const { database, platformPlaces } = deps;
  const rows = async <Row>(statement: Statement, values: readonly unknown[] = []): Promise<readonly Row[]> =>
    (await database.pool.query({ ...statement, values: [...values] })).rows as readonly Row[];
  let places = new Map(platformPlaces);
  return {
    cursor: async (name) => (await rows<{ readonly cursor: string }>(findCursor, [name]))[0]?.cursor ?? '',
    placesOf: async (addresses) => {
      if (places.size > rememberedMax) places = new Map(platformPlaces);
      const known = places;
      const unknown = addresses.filter((address) => !known.has(address));
      const kinds = ['G', 'C'].map((kind) => unknown.filter((address) => address.startsWith(kind)));
      const found = unknown.length === 0 ? [] : await rows<PlaceRow>(findPlaces, kinds);
      for (const { address, ...place } of found) known.set(address, place);
      return (address) => known.get(address);
    },
    ownHashes: async (hashes) =>
      new Set(hashes.length === 0 ? [] : (await rows<{ readonly hash: string }>(findOwn, [hashes])).map(({ hash }) => hash)),
    note: (transactions, move) =>
      database.inTransaction(async (tx) => {
        const hashes = transactions.map(({ hash }) => hash);
        const [told] = await tx.query<ToldRow>(tellTransactions, [hashes, move?.name, move?.from, move?.to]);
        if (told?.mayTell !== true) return undefined;
        const isNew = new Set(told.hashes);
        if (hashes.length > 0) tx.defer(forgetUntold, [hashes]);
        return tell(
          deps,
          tx,
          transactions.filter(({ hash }) => isNew.has(hash)),
        );
      }),
    watchedAddresses: async () => [
      ...platformPlaces.keys(),
      ...(await rows<{ readonly address: string }>(findAddresses)).map(({ address }) => address),
    ],
    untoldHashes: async () => (await rows<{ readonly hash: string }>(findUntold)).map(({ hash }) => hash),
  };
}

type PlaceRow = Extract<OwnPlace, { readonly place: 'wallet' | 'contract' }> & { readonly address: string };
type ToldRow = { readonly mayTell: boolean; readonly hashes: readonly string[] };

/** The ids of the messages follow from what they tell of. */
function tell({ outbox }: WatcherStoreDeps, tx: Tx, transactions: readonly NotedTransaction[]): readonly Deposit[] {
  if (transactions.length === 0) return [];
  const ofWallets = transactions.flatMap(({ legs }) => legs).filter(({ place }) => place === 'wallet');
  tx.defer(moveHoldings, [
    ofWallets.map(({ ownerId }) => ownerId),
    ofWallets.map(({ asset }) => asset),
    ofWallets.map(({ units }) => units.toString()),
  ]);
  for (const together of inMessages(transactions)) {
    const [{ hash: aggregateId }] = together;
    outbox.add(tx, custodyTransactionsLanded, {
      id: idFromParts('evt', 'custody', ...together.map(({ hash }) => hash)),
      aggregateId,
      aggregateVersion: 1,
      marketplaceId: defaultMarketplaceId,
      correlationId: aggregateId,
      payload: toPayload(together),
    });
  }
  const deposits = transactions.flatMap((transaction) => transaction.deposits);
  for (const deposit of deposits) tellDeposit(outbox, tx, deposit);
  return deposits;
}

function tellDeposit(outbox: Outbox, tx: Tx, deposit: Deposit): void {
  const { userId, marketplaceId, operationId, transactionHash, asset, units } = deposit;
  outbox.add(tx, balanceDepositReceived, {
    id: depositMessageId(operationId),
    aggregateId: userId,
    aggregatePart: `deposit ${operationId}`,
    aggregateVersion: 1,
    marketplaceId,
    correlationId: transactionHash,
    saga: depositSaga.name,
    payload: { userId, amount: formatUnits(units), currency: asset, operationId },
  });
}
