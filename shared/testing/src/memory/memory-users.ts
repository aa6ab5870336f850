import type { Clock } from '@holdfast/kernel/context';
import { AppError } from '@holdfast/kernel/errors';
import type { KnownUser, KnownUsers } from '@holdfast/service-kit/known-users';
import type { MemoryTables } from './memory-tables.js';

export type UserTables = {
  readonly users: Map<string, KnownUser>;
  /** The ids of handled messages. */
  readonly inbox: Map<string, true>;
};

export type MemoryUsers = KnownUsers & {
  /** Adds a user to identity. The service does not know it yet. */
  readonly addToIdentity: (user: KnownUser) => void;
};

export function memoryUsers({ committed, inTransaction }: MemoryTables<UserTables>, clock: Clock): MemoryUsers {
  const atIdentity = new Map<string, KnownUser>();
  const store = (user: KnownUser, messageId?: string): Promise<void> =>
    inTransaction(({ tables: { users, inbox } }) => {
      if (messageId !== undefined && inbox.has(messageId)) return;
      if (messageId !== undefined) inbox.set(messageId, true);
      const known = users.get(user.id);
      const isNewer = known === undefined || (known.version < user.version && known.marketplaceId === user.marketplaceId);
      if (isNewer) users.set(user.id, { ...user, receivedAt: known?.receivedAt ?? user.receivedAt });
    });
  return {
    addToIdentity: (user) => void atIdentity.set(user.id, user),
    require: async ({ marketplaceId, userId }) => {
      const known = committed().users.get(userId);
      if (known?.marketplaceId === marketplaceId) return known;
      const found = atIdentity.get(userId);
      if (found?.marketplaceId !== marketplaceId) throw new AppError('USER_NOT_FOUND', { userId });
      const user = { ...found, receivedAt: clock.now() };
      await store(user);
      return user;
    },
    handleUserChanged: ({ id, marketplaceId, aggregateVersion, payload: { userId, type, status } }, { at }) =>
      store({ id: userId, marketplaceId, type, status, version: aggregateVersion, receivedAt: at }, id),
    knownVersion: async (userId) => committed().users.get(userId)?.version ?? 0,
  };
}
