import type { MarketplaceId } from '@holdfast/shared/ids';
import type { KnownUser } from '@holdfast/shared/known-users';
import { createRecentMap } from '@holdfast/shared/recent-map';

/** Users as they were read last. Whoever relies on them proves with what it writes that they have not changed since. */
export type RememberedUsers = {
  /** Undefined unless all of them are known. */
  readonly find: (marketplaceId: MarketplaceId, userIds: readonly string[]) => readonly KnownUser[] | undefined;
  readonly keep: (users: readonly KnownUser[]) => void;
  readonly forget: () => void;
};

const usersMin = 5_000;

export function rememberUsers(): RememberedUsers {
  const kept = createRecentMap<string, KnownUser>(usersMin);
  return {
    find: (marketplaceId, userIds) => {
      const found = userIds.flatMap((id) => kept.get(id) ?? []).filter((user) => user.marketplaceId === marketplaceId);
      return found.length === userIds.length ? found : undefined;
    },
    keep: (users) => {
      for (const user of users) kept.set(user.id, user);
    },
    forget: kept.clear,
  };
}
