import type { Clock } from '@holdfast/shared/context';
import type { custodyTransactionsLanded, CustodyAsset, Envelope, Payload } from '@holdfast/shared/contracts/messages';
import type { NewId, UserId } from '@holdfast/shared/ids';
import type { Database, Tx } from '@holdfast/shared/postgres';
import { chainCurrency, custodyOwner, custodyTransfersOf, type CustodyTransfer } from '../domain/custody.js';

type Landed = Envelope<Payload<typeof custodyTransactionsLanded>>;

type Entry = CustodyTransfer & { readonly id: string; readonly cause: string; readonly marketplaceId: string };

const makeAccounts = {
  name: 'make-custody-accounts',
  text: `
  insert into accounts (kind, owner, currency, updated_at)
  select distinct 'chain', owner, currency, $3::timestamptz
  from unnest($1::text[], $2::text[]) as wanted (owner, currency)
  order by owner, currency
  on conflict (owner, currency, kind) do nothing`,
};

const insertTransfers = {
  name: 'insert-custody-transfers',
  text: `
  insert into transfers (id, cause, type, marketplace_id, created_at)
  select id, cause, 'CUSTODY', marketplace_id, $4::timestamptz
  from unnest($1::text[], $2::text[], $3::text[]) as landed (id, cause, marketplace_id)`,
};

/** A sub-select is looked up by index, row by row; a join may read the whole table for every row. */
const idOfMoved = `(
    select accounts.id
    from accounts
    where accounts.owner = moved.owner
      and accounts.currency = moved.currency
      and accounts.kind = 'chain'
  )`;

const insertLegs = {
  name: 'insert-custody-legs',
  text: `
  insert into legs (transfer_id, account_id, part, units)
  select moved.transfer_id, ${idOfMoved}, 'available', moved.units
  from unnest($1::text[], $2::text[], $3::text[], $4::bigint[]) as moved (transfer_id, owner, currency, units)`,
};

const changeBalances = {
  name: 'change-custody-balances',
  text: `
  insert into custody_balances (account_id, units)
  select ${idOfMoved} as account_id, moved.units
  from (
    select owner, currency, sum(units) as units
    from unnest($1::text[], $2::text[], $3::bigint[]) as leg (owner, currency, units)
    group by owner, currency
  ) as moved
  order by account_id
  on conflict (account_id) do update
  set units = custody_balances.units + excluded.units`,
};

/** Books landed transactions. What has happened on the ledger network cannot be refused. */
export function custodyWriter(clock: Clock, newId: NewId): (tx: Tx, messages: readonly Landed[]) => Promise<void> {
  return (tx, messages) => {
    const entries = messages.flatMap((message) => entriesOf(message, newId));
    const legs = entries.flatMap(({ id, currency, legs: moved }) => moved.map((leg) => ({ ...leg, id, currency })));
    if (legs.length === 0) return Promise.resolve();
    const at = clock.now();
    const [owners, currencies] = [legs.map(({ owner }) => owner), legs.map(({ currency }) => currency)];
    // None of them has an answer to wait for: all go out with the commit.
    tx.defer(makeAccounts, [owners, currencies, at]);
    tx.defer(insertTransfers, [
      entries.map(({ id }) => id),
      entries.map(({ cause }) => cause),
      entries.map(({ marketplaceId }) => marketplaceId),
      at,
    ]);
    const units = legs.map((leg) => leg.units);
    tx.defer(insertLegs, [legs.map(({ id }) => id), owners, currencies, units]);
    // Last, because it is the only lock that replicas share.
    tx.defer(changeBalances, [owners, currencies, units]);
    return Promise.resolve();
  };
}

/** A transaction may move two assets; each has a transfer and a cause of its own, which no second message can have again. */
function entriesOf({ marketplaceId, payload: { transactions } }: Landed, newId: NewId): readonly Entry[] {
  return transactions.flatMap(({ transactionHash, legs }) =>
    custodyTransfersOf(legs).map((transfer) => {
      return { ...transfer, id: newId('tr'), cause: `custody:${transactionHash}#${transfer.currency}`, marketplaceId };
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
