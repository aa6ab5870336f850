import type { Instant } from '@holdfast/shared/context';
import type { Database } from '@holdfast/shared/postgres';
import type { Currency } from '@holdfast/shared/money';
import { createRecentMap } from '@holdfast/shared/recent-map';
import { accountKey, type AccountKind, type AccountRef } from '../domain/accounts.js';
import { arrayOf } from './arrays.js';
import { ensureAccounts } from './sql/ensure-accounts.js';
import { findAccounts, type FoundAccountRow } from './sql/find-accounts.js';

/**
 * An account with where its row is and whose marketplace its user belongs to. Neither ever changes. Escrow accounts are made
 * with the first posting that needs them; until this process has met one, nobody knows here where it is.
 */
export type Located = { readonly ref: AccountRef; readonly id: bigint | null; readonly marketplaceId: string | null };

export type AccountDirectory = {
  /**
   * Finds the accounts, in the order given, and makes what is missing, escrow accounts excepted. A user's account is undefined
   * when the user is unknown.
   */
  readonly locate: (refs: readonly AccountRef[], at: Instant) => Promise<readonly (Located | undefined)[]>;
  /** The rows of these accounts are committed. */
  readonly remember: (accounts: readonly Located[]) => void;
};

/** So many accounts at least are remembered, those met last. */
const rememberedMin = 100_000;

/** Account rows are never deleted, so what was found once is true for good and need not be asked again. */
export function accountDirectory(database: Database): AccountDirectory {
  const remembered = createRecentMap<string, Located>(rememberedMin);

  async function locate(refs: readonly AccountRef[], at: Instant): Promise<readonly (Located | undefined)[]> {
    const located = refs.map((ref) => remembered.get(accountKey(ref)) ?? unmetEscrow(ref));
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
    remember([...found.values()]);
    return found;
  }

  function remember(accounts: readonly Located[]): void {
    for (const located of accounts) remembered.set(accountKey(located.ref), located);
  }

  return { locate, remember };
}

function unmetEscrow(ref: AccountRef): Located | undefined {
  return ref.kind === 'escrow' ? { ref, id: null, marketplaceId: null } : undefined;
}

function foundAt(ref: AccountRef | undefined, found: ReadonlyMap<string, Located>): Located | undefined {
  return ref === undefined ? undefined : found.get(accountKey(ref));
}

function toLocated(row: FoundAccountRow): Located {
  const ref = { kind: row.kind as AccountKind, owner: row.owner, currency: row.currency as Currency };
  return { ref, id: row.id, marketplaceId: row.marketplace_id };
}
