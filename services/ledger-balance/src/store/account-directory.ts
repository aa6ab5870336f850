import type { Instant } from '@holdfast/shared/context';
import type { Database } from '@holdfast/shared/postgres';
import type { Currency } from '@holdfast/shared/money';
import { accountKey, type AccountKind, type AccountRef } from '../domain/accounts.js';
import { arrayOf } from './arrays.js';
import { ensureAccounts } from './sql/ensure-accounts.js';
import { findAccounts, type FoundAccountRow } from './sql/find-accounts.js';

/** An account with where its row is and whose marketplace its user belongs to. Neither ever changes. */
export type Located = { readonly ref: AccountRef; readonly id: bigint; readonly marketplaceId: string | null };

export type AccountDirectory = {
  /** Finds or makes the accounts, in the order given. A user's account is undefined when the user is unknown. */
  readonly locate: (refs: readonly AccountRef[], at: Instant) => Promise<readonly (Located | undefined)[]>;
};

/** Accounts are remembered up to this many; then the ones remembered longest are forgotten. */
const rememberedMax = 200_000;

/** Account rows are never deleted, so what was found once is true for good and need not be asked again. */
export function accountDirectory(database: Database): AccountDirectory {
  const remembered = new Map<string, Located>();

  async function locate(refs: readonly AccountRef[], at: Instant): Promise<readonly (Located | undefined)[]> {
    const located = refs.map((ref) => remembered.get(accountKey(ref)));
    if (!located.includes(undefined)) return located;
    const missing = new Map(refs.filter((_, index) => located[index] === undefined).map((ref) => [accountKey(ref), ref]));
    const found = await findOrMake([...missing.values()], at);
    return located.map((known, index) => known ?? foundAt(refs[index], found));
  }

  async function findOrMake(refs: readonly AccountRef[], at: Instant): Promise<ReadonlyMap<string, Located>> {
    const columns = [
      arrayOf(refs, ({ kind }) => kind),
      arrayOf(refs, ({ owner }) => owner),
      arrayOf(refs, ({ currency }) => currency),
    ];
    await database.pool.query({ ...ensureAccounts, values: [...columns, at] });
    const { rows } = await database.pool.query<FoundAccountRow>({ ...findAccounts, values: columns });
    const found = new Map(rows.map(toLocated).map((located) => [accountKey(located.ref), located]));
    for (const [key, located] of found) remember(key, located);
    return found;
  }

  function remember(key: string, located: Located): void {
    remembered.set(key, located);
    if (remembered.size <= rememberedMax) return;
    const [oldest] = remembered.keys();
    if (oldest !== undefined) remembered.delete(oldest);
  }

  return { locate };
}

function foundAt(ref: AccountRef | undefined, found: ReadonlyMap<string, Located>): Located | undefined {
  return ref === undefined ? undefined : found.get(accountKey(ref));
}

function toLocated(row: FoundAccountRow): Located {
  const ref = { kind: row.kind as AccountKind, owner: row.owner, currency: row.currency as Currency };
  return { ref, id: row.id, marketplaceId: row.marketplace_id };
}
