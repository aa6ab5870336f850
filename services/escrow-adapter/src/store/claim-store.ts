import { IsNull } from 'typeorm';
import { custodyUnconfirmedDepositFound } from '@holdfast/contracts/messages';
import type { Instant } from '@holdfast/kernel/context';
import { formatUnits } from '@holdfast/kernel/money';
import { insertMany, type Database, type Tx } from '@holdfast/postgres';
import { backoffInterval, claimDue, nextDue, readNextDue } from '@holdfast/work';
import type { ClaimedTransaction, Leg, Outflow, ClaimStore, OpenClaim, WatcherStore } from '../use-cases/custody/ports.js';
import { summed } from '../domain/sum-legs.js';
import type { Wallets } from '../use-cases/wallets/ports.js';
import { claims } from './custody-schema.js';
import { creditDeposits, type DepositDeps } from './deposit-store.js';
import { withoutExpected } from './expected-transfer-store.js';
import { publishLanded, publishOutflows, publishUnknownDeposits } from './custody-messages.js';

const insertClaims = insertMany({
  ...claims,
  name: 'insert-claimed-transactions',
  properties: ['hash', 'ledger', 'content', 'userIds'],
  suffix: `order by 1
  on conflict (hash) do nothing`,
});

/** The next try comes after 1, 2, 4 … seconds, and at last every minute. A user's own request does not wait for it. */
const takeDue = claimDue({
  name: 'take-due-claimed-transactions',
  table: 'claimed_transactions',
  key: 'hash',
  where: 'given_up_at is null and (try_at <= now() or $1 = any(user_ids))',
  orderBy: 'try_at',
  limit: '100',
  set: `attempts = attempts + 1, try_at = now() + ${backoffInterval({ attempts: 'attempts', first: '1', max: '60' })}`,
  returning: 'content, seen_at as "seenAt"',
});

const nextTry = nextDue({
  name: 'next-try-of-claimed-transactions',
  table: 'claimed_transactions',
  where: 'given_up_at is null',
  dueAt: 'try_at',
});

const isOpen = { givenUpAt: IsNull() };

export type ClaimStoreDeps = DepositDeps & {
  readonly database: Database;
  readonly placesOf: WatcherStore['placesOf'];
  readonly holdingsOf: Wallets['holdingsOf'];
};

/** Stores the transactions with the commit that moves the cursor behind them. */
export function addClaimed(tx: Tx, transactions: readonly ClaimedTransaction[]): void {
  if (transactions.length === 0) return;
  tx.defer(
    insertClaims(
      transactions.map((transaction) => {
        const { hash, ledger } = transaction;
        return { hash, ledger, content: toText(transaction), userIds: ownersIn(transaction) };
      }),
    ),
  );
}

export type DueClaims = {
  /** In how many milliseconds the next transaction is due; undefined if none waits. */
  readonly nextDueInMs: () => Promise<number | undefined>;
};

export function claimStore(deps: ClaimStoreDeps): ClaimStore & DueClaims {
  const { database, placesOf, holdingsOf } = deps;
  const { lists } = database;
  return {
    placesOf,
    holdingsOf,
    nextDueInMs: () => readNextDue(lists, nextTry),
    takeDue: async (userId) => {
      const { rows } = await lists.query<ClaimRow>(takeDue, [userId ?? null]);
      return rows.map(toClaim).toSorted((one, other) => one.ledger - other.ledger);
    },
    publish: (transaction) =>
      lists.inTransaction(async (tx) => {
        const deleted = await tx.manager.delete(claims.entity, { hash: transaction.hash, ...isOpen });
        if (deleted.affected !== 1) return undefined;
        const unknown = await withoutExpected(tx, transaction.hash, transaction.outflows);
        publishLanded(deps, tx, [withCapital(transaction, unknown)]);
        publishUnknownDeposits(deps, tx, transaction);
        publishOutflows(
          deps,
          tx,
          unknown.map((outflow) => ({ ...outflow, hash: transaction.hash })),
        );
        await creditDeposits(deps, tx, transaction.deposits);
        return unknown;
      }),
    giveUp: (transaction) =>
      lists.inTransaction(async (tx) => {
        const where = { hash: transaction.hash, ...isOpen };
        const givenUp = await tx.manager.update(claims.entity, where, { givenUpAt: () => 'now()' });
        if (givenUp.affected !== 1) return false;
        reportUnconfirmed(deps, tx, transaction);
        return true;
      }),
  };
}

/** What was announced leaves the treasury for the owners of the platform, and not for the world. */
function withCapital(transaction: ClaimedTransaction, unknown: readonly Outflow[]): ClaimedTransaction {
  const expected = transaction.outflows.filter((outflow) => !unknown.includes(outflow));
  const moved = expected.flatMap(({ asset, units }): readonly Leg[] => [
    { place: 'world', asset, units: -units },
    { place: 'capital', asset, units },
  ]);
  return { ...transaction, legs: summed([...transaction.legs, ...moved]) };
}

function reportUnconfirmed({ outbox, creditedCurrency }: DepositDeps, tx: Tx, transaction: ClaimedTransaction): void {
  const { hash, deposits, unknownDeposits } = transaction;
  const known = deposits.map((deposit) => ({ ...deposit, orderId: null }));
  for (const { operationId, marketplaceId, userId, orderId, asset, units } of [...known, ...unknownDeposits]) {
    outbox.add(tx, custodyUnconfirmedDepositFound, {
      aggregateId: operationId,
      aggregateVersion: 1,
      marketplaceId,
      correlationId: hash,
      payload: { operationId, amount: formatUnits(units), currency: creditedCurrency(asset), userId, orderId },
    });
  }
}

function ownersIn({ legs }: ClaimedTransaction): readonly string[] {
  return [...new Set(legs.flatMap(({ place, ownerId }) => (place === 'wallet' && ownerId !== undefined ? [ownerId] : [])))];
}

type ClaimRow = { readonly content: string; readonly seenAt: Instant };

/** JSON has no bigint. */
function toText(transaction: ClaimedTransaction): string {
  return JSON.stringify(transaction, (key, value: unknown) => (key === 'units' ? String(value) : value));
}

function toClaim({ content, seenAt }: ClaimRow): OpenClaim {
  const read = (key: string, value: unknown): unknown => (key === 'units' ? BigInt(String(value)) : value);
  return { ...(JSON.parse(content, read) as ClaimedTransaction), seenAt };
}
