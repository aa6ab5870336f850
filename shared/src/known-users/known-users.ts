import type { Clock, Context, Instant } from '../context/index.js';
import { findUser } from '../contracts/http/index.js';
import type { Envelope, Payload, userCreated, UserStatus, UserType } from '../contracts/messages/index.js';
import type { ServiceName } from '../contracts/services/index.js';
import { AppError, isAppError } from '../errors/index.js';
import type { MarketplaceId, UserId } from '../ids/index.js';
import { once } from '../outbox/index.js';
import type { Database, Tx } from '../postgres/index.js';
import type { ServiceClient } from '../service-client/index.js';

export type KnownUser = {
  readonly id: UserId;
  readonly marketplaceId: MarketplaceId;
  readonly type: UserType;
  readonly status: UserStatus;
  /** Counts the changes of the user at identity: older news never overwrites newer. */
  readonly version: number;
  readonly heardAt: Instant;
};

export type AskedAbout = { readonly marketplaceId: MarketplaceId; readonly userId: UserId; readonly requestId: string };

/** The users of a service that does not own them: what it has heard, and identity for whom it has not heard of. */
export type KnownUsers = {
  /** A user was created or changed; the message and its effect commit together. */
  readonly hear: (message: Envelope<Payload<typeof userCreated>>, ctx: Context) => Promise<void>;
  /** Undefined where the marketplace has no such user. SERVICE_UNAVAILABLE when only identity could say. */
  readonly find: (asked: AskedAbout) => Promise<KnownUser | undefined>;
  /** USER_NOT_FOUND where the marketplace has no such user. */
  readonly demand: (asked: AskedAbout) => Promise<KnownUser>;
  /** Which version counts here; zero where none does. */
  readonly notedVersion: (userId: UserId) => Promise<number>;
};

export type KnownUsersOptions = {
  readonly service: ServiceName;
  readonly database: Pick<Database, 'pool' | 'inTransaction'>;
  readonly identity: Pick<ServiceClient, 'ask'>;
  readonly clock: Clock;
};

const keepUser = {
  name: 'keep-user',
  text: `
  insert into users (id, marketplace_id, type, status, version, heard_at)
  values ($1, $2, $3, $4, $5, $6)
  on conflict (id) do update
  set type = excluded.type,
    status = excluded.status,
    version = excluded.version
  where users.version < excluded.version
    and users.marketplace_id = excluded.marketplace_id`,
};

const findRow = {
  name: 'find-user',
  text: `
  select id, marketplace_id as "marketplaceId", type, status, version::integer, heard_at as "heardAt"
  from users
  where id = $2
    and marketplace_id = $1`,
};

const findRows = {
  name: 'find-users',
  text: `
  select id, marketplace_id as "marketplaceId", type, status, version::integer, heard_at as "heardAt"
  from users
  where id = any($2)
    and marketplace_id = $1`,
};

const findVersion = {
  name: 'find-user-version',
  text: `
  select version::integer
  from users
  where id = $1`,
};

/** Those of these users that were heard of, within a transaction. */
export function knownUsersIn(tx: Tx, marketplaceId: MarketplaceId, userIds: readonly string[]): Promise<readonly KnownUser[]> {
  return tx.query<KnownUser>(findRows, [marketplaceId, userIds]);
}

/** Works on the table `users` that every such service has. */
export function knownUsers(options: KnownUsersOptions): KnownUsers {
  const { database, service } = options;
  const find = async (asked: AskedAbout): Promise<KnownUser | undefined> => {
    const { rows } = await database.pool.query<KnownUser>(findRow, [asked.marketplaceId, asked.userId]);
    return rows[0] ?? meet(options, asked);
  };
  return {
    find,
    demand: async (asked) => {
      const user = await find(asked);
      if (user === undefined) throw new AppError('USER_NOT_FOUND', { userId: asked.userId });
      return user;
    },
    hear: ({ id, marketplaceId, aggregateVersion, payload }, ctx) =>
      database.inTransaction(async (tx) => {
        if (!(await once(tx, service, id))) return;
        const { userId, type, status } = payload;
        keep(tx, { id: userId, marketplaceId, type, status, version: aggregateVersion, heardAt: ctx.at });
      }),
    notedVersion: async (userId) => {
      const { rows } = await database.pool.query<{ readonly version: number }>(findVersion, [userId]);
      return rows[0]?.version ?? 0;
    },
  };
}

/**
 * Somebody who was not heard of may be a moment old, and the news still under way. Identity is asked, and what it answers is
 * kept as if it had been heard; nothing is kept of those it does not know either.
 */
async function meet({ database, identity, clock }: KnownUsersOptions, asked: AskedAbout): Promise<KnownUser | undefined> {
  const { marketplaceId, userId, requestId } = asked;
  const found = await identity.ask(findUser, { params: { id: userId } }, { marketplaceId, requestId }).catch((error: unknown) => {
    if (isAppError(error, 'USER_NOT_FOUND')) return undefined;
    throw error;
  });
  if (found === undefined) return undefined;
  const user = { ...found, heardAt: clock.now() };
  await database.inTransaction((tx) => {
    keep(tx, user);
    return Promise.resolve();
  });
  return user;
}

function keep(tx: Tx, { id, marketplaceId, type, status, version, heardAt }: KnownUser): void {
  tx.defer(keepUser, [id, marketplaceId, type, status, version, heardAt]);
}
