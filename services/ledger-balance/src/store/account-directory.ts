import type { Instant } from '@holdfast/shared/context';
import type { Database } from '@holdfast/shared/postgres';
import { accountKey, type AccountRef } from '../domain/accounts.js';
import { arrayOf } from './arrays.js';
import { ensureAccounts } from './sql/ensure-accounts.js';
import { findAccounts, type FoundAccountRow } from './sql/find-accounts.js';

/** Where an account's row is, and whose marketplace its user belongs to. Neither ever changes. */
export type Located = { readonly id: bigint; readonly marketplaceId: string | null };

export type AccountDirectory = {
  /** Finds or makes the accounts. A user's account is missing from the answer when the user is unknown. */
  readonly locate: (refs: readonly AccountRef[], at: Instant) => Promise<ReadonlyMap<string, Located>>;
};

/** Accounts are remembered up to this many; then the ones remembered longest are forgotten. */
const rememberedMax = 200_000;

/** Account rows are never deleted, so what was found once is true for good and need not be asked again. */
export function accountDirectory(database: Database): AccountDirectory {
  const remembered = new Map<string, Located>();

  async function locate(refs: readonly AccountRef[], at: Instant): Promise<ReadonlyMap<string, Located>> {
    const located = new Map<string, Located>();
    const missing = new Map<string, AccountRef>();
    for (const ref of refs) {
      const key = accountKey(ref);
      const known = remembered.get(key);
      if (known === undefined) missing.set(key, ref);
      else located.set(key, known);
    }
    if (missing.size > 0) await findOrMake([...missing.values()], at, located);
    return located;
  }

  async function findOrMake(refs: readonly AccountRef[], at: Instant, located: Map<string, Located>): Promise<void> {
    const columns = [arrayOf(refs, 'kind'), arrayOf(refs, 'owner'), arrayOf(refs, 'currency')];
    await database.pool.query({ ...ensureAccounts, values: [...columns, at] });
    const found = await database.pool.query<FoundAccountRow>({ ...findAccounts, values: columns });
    for (const row of found.rows) {
      const entry = { id: row.id, marketplaceId: row.marketplace_id };
      const key = `${row.kind}:${row.owner}:${row.currency}`;
      located.set(key, entry);
      remember(key, entry);
    }
  }

  function remember(key: string, entry: Located): void {
    remembered.set(key, entry);
    if (remembered.size <= rememberedMax) return;
    const [oldest] = remembered.keys();
    if (oldest !== undefined) remembered.delete(oldest);
  }

  return { locate };
}
