import { LRUCache } from 'lru-cache';
import type { Instant } from '@holdfast/kernel/context';
import type { Tx } from '@holdfast/postgres';
import { accountKey } from '../domain/accounts.js';
import type { AccountRow } from './schema.js';
import { createAccounts } from './sql/create-accounts.js';
import { findAccounts, wantedNames, type FoundAccountRow } from './sql/find-accounts.js';

export type AccountName = Pick<AccountRow, 'kind' | 'owner' | 'currency'>;

/** The id of an account, and the marketplace of its user; null if the account is not a user's. */
export type Located = Pick<FoundAccountRow, 'id' | 'marketplaceId'>;

export type AccountDirectory = {
  /**
   * Finds the accounts, by key, and creates missing ones. The account of an unknown user is absent. Call it before the
   * transaction locks anything, because a concurrent transaction that creates the same account waits for this one.
   */
  readonly locate: (tx: Tx, names: readonly AccountName[], at: Instant) => Promise<ReadonlyMap<string, Located>>;
};

const cachedMax = 100_000;

/** The cache needs no invalidation: account rows are not deleted, and users do not move to another marketplace. */
export function createAccountDirectory(): AccountDirectory {
  // By size, because the cache makes room for `max` entries at once, which takes 30 ms.
  const cache = new LRUCache<string, Located>({ maxSize: cachedMax, sizeCalculation: () => 1 });

  return {
    locate: async (tx, names, at) => {
      const located = new Map<string, Located>();
      const missing = new Map<string, AccountName>();
      for (const name of names) {
        const key = accountKey(name);
        const cached = cache.get(key);
        if (cached === undefined) missing.set(key, name);
        else located.set(key, cached);
      }
      if (missing.size === 0) return located;
      const found = await createOrFind(tx, [...missing.values()], at);
      for (const row of found) located.set(accountKey(row), row);
      tx.afterCommit(() => {
        for (const row of found) cache.set(accountKey(row), row);
      });
      return located;
    },
  };
}

/** An account that is not cached is most often new: each order has one of its own. So the insert comes first. */
async function createOrFind(tx: Tx, names: readonly AccountName[], at: Instant): Promise<readonly FoundAccountRow[]> {
  const created = await tx.query<FoundAccountRow>(createAccounts, [...wantedNames.valuesOf(names), at]);
  const isCreated = new Set(created.map(accountKey));
  const others = names.filter((name) => !isCreated.has(accountKey(name)));
  if (others.length === 0) return created;
  return [...created, ...(await tx.query<FoundAccountRow>(findAccounts, wantedNames.valuesOf(others)))];
}
