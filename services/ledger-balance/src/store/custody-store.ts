import type { Clock } from '@holdfast/shared/context';
import type { custodyTransactionsLanded, CustodyAsset, Envelope, Payload } from '@holdfast/shared/contracts/messages';
import type { NewId, UserId } from '@holdfast/shared/ids';
import type { Database, Tx } from '@holdfast/shared/postgres';
import { createRecentMap } from '@holdfast/shared/recent-map';
import { chainCurrency, custodyOwner, custodyTransfersOf, type CustodyTransfer } from '../domain/custody.js';
import { arrayOf } from './arrays.js';
import { bookLanded, type MetRow } from './sql/book-landed.js';
import { makeAccounts } from './sql/make-accounts.js';

type Landed = Envelope<Payload<typeof custodyTransactionsLanded>>;

type Entry = CustodyTransfer & { readonly id: string; readonly cause: string; readonly marketplaceId: string };

/** So many accounts at least are remembered, those met last. */
const rememberedMin = 50_000;

/** Books landed transactions. What has happened on the ledger network cannot be refused. */
export function custodyWriter(clock: Clock, newId: NewId): (tx: Tx, messages: readonly Landed[]) => Promise<void> {
  /** Account rows are never deleted, so the id of one that was committed is true for good. */
  const remembered = createRecentMap<string, bigint>(rememberedMin);

  function remember(accounts: readonly Changed[], rows: readonly MetRow[]): void {
    for (const [index, { key }] of accounts.entries()) {
      const id = rows[index]?.id;
      if (id !== undefined) remembered.set(key, id);
    }
  }

  // Nothing here has an answer to wait for: all of it goes out with the commit.
  return (tx, messages) => {
    const entries = messages.flatMap((message) => entriesOf(message, newId));
    if (entries.length === 0) return Promise.resolve();
    const at = clock.now();
    const accounts = accountsOf(entries);
    const met = accounts.filter(({ key }) => remembered.has(key));
    const unmet = accounts.filter(({ key }) => !remembered.has(key));
    const names = [arrayOf(unmet, ({ owner }) => owner), arrayOf(unmet, ({ currency }) => currency)];
    if (unmet.length > 0) tx.defer(makeAccounts, ['chain', ...names, at]);
    const values = [...names, arrayOf(met, ({ key }) => remembered.get(key)), at, ...bookColumns(entries, [...met, ...unmet])];
    tx.defer(bookLanded, values, (rows: readonly MetRow[]) => {
      tx.afterCommit(() => {
        remember(unmet, rows);
      });
    });
    return Promise.resolve();
  };
}

/** An account of custody and by how much the batch changes it. */
type Changed = { readonly key: string; readonly owner: string; readonly currency: string; readonly units: bigint };

/** In the order of their names, as everybody makes them. */
function accountsOf(entries: readonly Entry[]): readonly Changed[] {
  const changed = new Map<string, Changed>();
  for (const { currency, legs } of entries) {
    for (const { owner, units } of legs) {
      const key = keyOf(owner, currency);
      changed.set(key, { key, owner, currency, units: (changed.get(key)?.units ?? 0n) + units });
    }
  }
  return [...changed.keys()].sort().flatMap((key) => changed.get(key) ?? []);
}

/** What the accounts change by, the transfers and their legs, column by column. */
function bookColumns(entries: readonly Entry[], accounts: readonly Changed[]): readonly string[] {
  const placeOf = new Map(accounts.map(({ key }, index) => [key, index + 1]));
  const legs = entries.flatMap(({ id, currency, legs: moved }) =>
    moved.map(({ owner, units }) => ({ id, place: placeOf.get(keyOf(owner, currency)), units })),
  );
  return [
    arrayOf(accounts, ({ units }) => units),
    arrayOf(entries, ({ id }) => id),
    arrayOf(entries, ({ cause }) => cause),
    arrayOf(entries, ({ marketplaceId }) => marketplaceId),
    arrayOf(legs, ({ id }) => id),
    arrayOf(legs, ({ place }) => place),
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
