import type { Clock, Instant } from '@holdfast/kernel/instants';
import type { Context } from '@holdfast/kernel/context';
import { findUser } from '@holdfast/contracts/http';
import type { Envelope, Payload, userCreated, UserStatus, UserType } from '@holdfast/contracts/messages';
import type { ServiceName } from '@holdfast/contracts/services';
import { AppError, isAppError } from '@holdfast/kernel/errors';
import type { MarketplaceId, UserId } from '@holdfast/kernel/ids';
import { handleOnce } from '@holdfast/messaging/inbox';
import { insertMany, tableOf, type Database, type Tx } from '@holdfast/postgres';
import type { ServiceClient } from '@holdfast/http/service-client';

export type KnownUser = {
  readonly id: UserId;
  readonly marketplaceId: MarketplaceId;
  readonly type: UserType;
  readonly status: UserStatus;
  /** The version of the user at identity. An older version never overwrites a newer one. */
  readonly version: number;
  readonly receivedAt: Instant;
};

export type UserLookup = { readonly marketplaceId: MarketplaceId; readonly userId: UserId; readonly requestId: string };

/** A service's copy of the users of identity. Users that are not in the copy are fetched from identity. */
export type KnownUsers = {
  /** Handles user.created and user.changed. */
  readonly handleUserChanged: (message: Envelope<Payload<typeof userCreated>>, ctx: Context) => Promise<void>;
  /** USER_NOT_FOUND if the marketplace has no such user. SERVICE_UNAVAILABLE if the user is unknown and identity is unavailable. */
  readonly require: (lookup: UserLookup) => Promise<KnownUser>;
  /** The stored version of the user; zero if the user is unknown. */
  readonly knownVersion: (userId: UserId) => Promise<number>;
};

export type KnownUsersOptions = {
  readonly service: ServiceName;
  readonly database: Pick<Database, 'pool' | 'inTransaction'>;
  readonly identity: Pick<ServiceClient, 'call'>;
  readonly clock: Clock;
};

/** Versions are bigint in the table and stay far below the safe integers of a number. */
type UserRow = Omit<KnownUser, 'version'> & { readonly version: bigint };

/** The table `users` of every service that knows users. */
export const users = tableOf<UserRow>('users')({
  id: { column: 'id', type: 'text', isPrimary: true },
  marketplaceId: { column: 'marketplace_id', type: 'text' },
  type: { column: 'type', type: 'text' },
  status: { column: 'status', type: 'text' },
  version: { column: 'version', type: 'bigint' },
  receivedAt: { column: 'received_at', type: 'timestamptz' },
});

const upsertUsers = insertMany({
  ...users,
  name: 'upsert-known-users',
  suffix: `
  on conflict (id) do update
  set type = excluded.type,
    status = excluded.status,
    version = excluded.version
  where users.version < excluded.version
    and users.marketplace_id = excluded.marketplace_id`,
});

const selectUsers = {
  name: 'select-known-users',
  text: `
  select ${users.selected}
  from users
  where id = any($1)`,
};

/** The known ones of these users, of any marketplace, within a transaction. */
export async function findKnownUsers(tx: Tx, userIds: readonly string[]): Promise<readonly KnownUser[]> {
  return (await tx.query<UserRow>(selectUsers, [userIds])).map(toUser);
}

function toUser(row: UserRow): KnownUser {
  return { ...row, version: Number(row.version) };
}

function toRow(user: KnownUser): UserRow {
  return { ...user, version: BigInt(user.version) };
}

/** Requires the table `users` in the schema of the service. */
export function knownUsers(options: KnownUsersOptions): KnownUsers {
  const { database, service } = options;
  const findKnown = async (userId: UserId): Promise<KnownUser | undefined> => {
    const { rows } = await database.pool.query<UserRow>(selectUsers, [[userId]]);
    return rows.map(toUser)[0];
  };
  return {
    require: async (lookup) => {
      const known = await findKnown(lookup.userId);
      const user = known?.marketplaceId === lookup.marketplaceId ? known : await fetchFromIdentity(options, lookup);
      if (user === undefined) throw new AppError('USER_NOT_FOUND', { userId: lookup.userId });
      return user;
    },
    handleUserChanged: handleOnce({ database, consumer: service }, (tx, { marketplaceId, aggregateVersion, payload }, ctx) => {
      const { userId, type, status } = payload;
      const user = { id: userId, marketplaceId, type, status, version: aggregateVersion, receivedAt: ctx.at };
      tx.defer(upsertUsers([toRow(user)]));
      return Promise.resolve();
    }),
    knownVersion: async (userId) => (await findKnown(userId))?.version ?? 0,
  };
}

/**
 * An unknown user may be so new that its message has not arrived yet. The user is fetched from identity and stored like one from a
 * message. Users that identity does not know are not stored.
 */
async function fetchFromIdentity(
  { database, identity, clock }: KnownUsersOptions,
  lookup: UserLookup,
): Promise<KnownUser | undefined> {
  const { marketplaceId, userId, requestId } = lookup;
  const found = await identity
    .call(findUser, { params: { id: userId } }, { marketplaceId, requestId })
    .catch((error: unknown) => {
      if (isAppError(error, 'USER_NOT_FOUND')) return undefined;
      throw error;
    });
  if (found === undefined) return undefined;
  const user = { ...found, receivedAt: clock.now() };
  await database.pool.query(upsertUsers([toRow(user)]));
  return user;
}
