import { LRUCache } from 'lru-cache';
import type { Broker } from '@holdfast/messaging/broker';
import { insertMany, type Database, type Tx } from '@holdfast/postgres';
import { cursors, quarantined } from './schema.js';
import type { OwnPlace, QuarantinedRecord, WatcherStore } from '../use-cases/custody/ports.js';
import { addClaimed } from './claim-store.js';
import { publishLanded, publishQuarantined, type CustodyMessageDeps } from './custody-messages.js';

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

const beginCursors = insertMany({
  ...cursors,
  name: 'begin-ledger-history',
  suffix: 'on conflict (name) do nothing returning name',
});

const insertQuarantined = insertMany({
  ...quarantined,
  name: 'insert-quarantined-records',
  suffix: `
  on conflict (id) do nothing
  returning id,
    exists (
      select
      from quarantined_records as earlier
      where earlier.resolved_at is null
        and earlier.reason = quarantined_records.reason
        and earlier.user_ids = quarantined_records.user_ids
    ) as "hasCase"`,
});

/** A page may have hundreds of them, so the plan depends on how many are given. */
const findOwnHashes = {
  name: 'find-own-transactions',
  text: `
  select hash
  from ledger_transactions
  where hash = any($1)`,
};

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

/** Topic of the notification that transactions were stored which have to be proved; its key is the cursor. */
export const claimedTopic = 'claimed-transactions';

export type WatcherStoreDeps = CustodyMessageDeps & {
  readonly database: Database;
  readonly broker: Pick<Broker, 'broadcast'>;
  /** The accounts of the platform itself. */
  readonly platformPlaces: ReadonlyMap<string, OwnPlace>;
};

/** The place of an address never changes, so cached entries never expire. */
const placesMax = 20_000;

export function watcherStore(deps: WatcherStoreDeps): WatcherStore {
  const { platformPlaces } = deps;
  const { lists } = deps.database;
  const notify = (cursor: string): void => deps.broker.broadcast({ topic: claimedTopic, key: cursor });
  const places = new LRUCache<string, OwnPlace>({ max: placesMax });
  return {
    cursor: async (name) => (await lists.manager.findOneBy(cursors.entity, { name }))?.cursor ?? '',
    begin: (name, cursor, opening) =>
      lists.inTransaction(async (tx) => {
        if ((await tx.query(beginCursors([{ name, cursor }]))).length > 0) publishLanded(deps, tx, [opening]);
      }),
    placesOf: async (addresses) => {
      const known = new Map(addresses.flatMap((address) => entryOf(address, platformPlaces.get(address) ?? places.get(address))));
      const unknown = addresses.filter((address) => !known.has(address));
      const found = unknown.length === 0 ? [] : (await lists.query<PlaceRow>(findPlaces, [unknown])).rows;
      for (const { address, ...place } of found) {
        places.set(address, place);
        known.set(address, place);
      }
      return (address) => known.get(address);
    },
    ownHashes: async (hashes) => {
      if (hashes.length === 0) return new Set();
      const { rows } = await lists.query<{ readonly hash: string }>(findOwnHashes, [hashes]);
      return new Set(rows.map(({ hash }) => hash));
    },
    publish: (findings, move) =>
      lists.inTransaction(async (tx) => {
        const hashes = [...findings.own, ...findings.claimed].map(({ hash }) => hash);
        const [published] = await tx.query<PublishedRow>(publishTransactions, [hashes, move.name, move.from, move.to]);
        if (published?.mayPublish !== true) return undefined;
        const isNew = new Set(published.hashes);
        const newRecords = await insertNew(tx, findings.quarantined);
        const isFresh = ({ hash }: { readonly hash: string }): boolean => isNew.has(hash);
        publishLanded(deps, tx, findings.own.filter(isFresh));
        addClaimed(tx, findings.claimed.filter(isFresh));
        if (findings.claimed.length > 0) tx.afterCommit(() => notify(move.to));
        publishQuarantined(deps, tx, newRecords);
        return { quarantined: newRecords };
      }),
  };
}

function entryOf(address: string, place: OwnPlace | undefined): readonly (readonly [string, OwnPlace])[] {
  return place === undefined ? [] : [[address, place]];
}

type PlaceRow = Extract<OwnPlace, { readonly place: 'wallet' | 'contract' }> & { readonly address: string };

/**
 * Returns the records that need a case. The records of the same wallets with the same reason share one. A record without a position
 * is read again until a later one follows it.
 */
async function insertNew(tx: Tx, records: readonly QuarantinedRecord[]): Promise<readonly QuarantinedRecord[]> {
  if (records.length === 0) return [];
  const rows = records.map(({ id, record, reason, userIds }) => ({ id, record, reason, userIds }));
  type Inserted = { readonly id: string; readonly hasCase: boolean };
  const inserted = await tx.query<Inserted>(insertQuarantined(rows));
  const isNew = new Set(inserted.filter(({ hasCase }) => !hasCase).map(({ id }) => id));
  const distinct = new Map(records.filter(({ id }) => isNew.has(id)).map((record) => [caseKeyOf(record), record]));
  return [...distinct.values()];
}

function caseKeyOf({ userIds, reason }: QuarantinedRecord): string {
  return `${userIds.join(' ')} ${reason}`;
}

type PublishedRow = { readonly mayPublish: boolean; readonly hashes: readonly string[] };
