import type { Clock } from '@holdfast/shared/context';
import type { custodyTransactionsLanded, CustodyAsset, Envelope, Payload } from '@holdfast/shared/contracts/messages';
import type { NewId, UserId } from '@holdfast/shared/ids';
import type { Database, Tx } from '@holdfast/shared/postgres';
import { chainCurrency, custodyOwner, custodyTransfersOf, type CustodyTransfer } from '../domain/custody.js';
import { arrayOf } from './arrays.js';

type Landed = Envelope<Payload<typeof custodyTransactionsLanded>>;

type Entry = CustodyTransfer & { readonly id: string; readonly cause: string; readonly marketplaceId: string };

/** In the order of their names, as everybody makes them. */
const makeAccounts = {
  name: 'make-custody-accounts',
  text: `
  insert into accounts (kind, owner, currency, updated_at)
  select 'chain', unnest($1::text[]), unnest($2::text[]), $3::timestamptz
  on conflict (owner, currency, kind) do nothing`,
};

/** Each account is looked up once, by index; legs name it by its place among the accounts. */
const bookLanded = {
  name: 'book-landed',
  text: `
  with located as materialized (
    select array(
      select (
        select accounts.id
        from accounts
        where accounts.owner = wanted.owner
          and accounts.currency = wanted.currency
          and accounts.kind = 'chain'
      )
      from unnest($1::text[], $2::text[]) with ordinality as wanted (owner, currency, place)
      order by wanted.place
    ) as ids
  ),
  new_transfers as (
    insert into transfers (id, cause, type, marketplace_id, created_at)
    select unnest($5::text[]), unnest($6::text[]), 'CUSTODY', unnest($7::text[]), $3::timestamptz
  ),
  new_legs as (
    insert into legs (transfer_id, account_id, part, units)
    select leg.transfer_id, located.ids[leg.place], 'available', leg.units
    from located
    cross join (
      select unnest($8::text[]) as transfer_id, unnest($9::integer[]) as place, unnest($10::bigint[]) as units
    ) as leg
  )
  insert into custody_balances (account_id, units)
  select unnest(located.ids) as account_id, unnest($4::bigint[])
  from located
  order by account_id
  on conflict (account_id) do update
  set units = custody_balances.units + excluded.units`,
};

/** Books landed transactions. What has happened on the ledger network cannot be refused. */
export function custodyWriter(clock: Clock, newId: NewId): (tx: Tx, messages: readonly Landed[]) => Promise<void> {
  return (tx, messages) => {
    const entries = messages.flatMap((message) => entriesOf(message, newId));
    if (entries.length === 0) return Promise.resolve();
    const at = clock.now();
    const accounts = accountsOf(entries);
    const owners = arrayOf(accounts, ({ owner }) => owner);
    const currencies = arrayOf(accounts, ({ currency }) => currency);
    // Neither has an answer to wait for: both go out with the commit.
    tx.defer(makeAccounts, [owners, currencies, at]);
    tx.defer(bookLanded, [
      owners,
      currencies,
      at,
      arrayOf(accounts, ({ units }) => units),
      arrayOf(entries, ({ id }) => id),
      arrayOf(entries, ({ cause }) => cause),
      arrayOf(entries, ({ marketplaceId }) => marketplaceId),
      ...legColumns(entries, accounts),
    ]);
    return Promise.resolve();
  };
}

/** An account of custody and by how much the batch changes it. */
type Changed = { readonly owner: string; readonly currency: string; readonly units: bigint };

function accountsOf(entries: readonly Entry[]): readonly Changed[] {
  const changed = new Map<string, Changed>();
  for (const { currency, legs } of entries) {
    for (const { owner, units } of legs) {
      const key = keyOf(owner, currency);
      changed.set(key, { owner, currency, units: (changed.get(key)?.units ?? 0n) + units });
    }
  }
  return [...changed.keys()].sort().flatMap((key) => changed.get(key) ?? []);
}

function legColumns(entries: readonly Entry[], accounts: readonly Changed[]): readonly string[] {
  const placeOf = new Map(accounts.map(({ owner, currency }, index) => [keyOf(owner, currency), index + 1]));
  const legs = entries.flatMap(({ id, currency, legs: moved }) => moved.map((leg) => ({ id, currency, ...leg })));
  return [
    arrayOf(legs, ({ id }) => id),
    arrayOf(legs, ({ owner, currency }) => placeOf.get(keyOf(owner, currency))),
    arrayOf(legs, ({ units }) => units),
  ];
}

function keyOf(owner: string, currency: string): string {
  return `${owner} ${currency}`;
}

/** A transaction may move two assets; each has a transfer and a cause of its own, which no second message can have again. */
function entriesOf({ marketplaceId, payload: { transactions } }: Landed, newId: NewId): readonly Entry[] {
  return transactions.flatMap(({ transactionHash, legs }) =>
    custodyTransfersOf(legs).map((transfer) => {
      return { id: newId('tr'), cause: `custody:${transactionHash}#${transfer.currency}`, marketplaceId, ...transfer };
    }),
  );
}

const findWallet = {
  name: 'find-wallet',
  text: `
  select custody_balances.units::text as units
  from accounts
  join custody_balances on custody_balances.account_id = accounts.id
  where accounts.owner = $1
    and accounts.currency = $2
    and accounts.kind = 'chain'`,
};

/** What the books say that a user's wallet holds. */
export function walletReader({ pool }: Pick<Database, 'pool'>): (userId: UserId, asset: CustodyAsset) => Promise<bigint> {
  return async (userId, asset) => {
    const owner = custodyOwner('wallet', userId);
    const { rows } = await pool.query<{ readonly units: string }>(findWallet, [owner, chainCurrency(asset)]);
    return BigInt(rows[0]?.units ?? 0);
  };
}
