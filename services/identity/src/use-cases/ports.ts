import type { Context, Instant, Scope } from '@holdfast/kernel/context';
import type { Envelope, MessageDeclaration, Payload } from '@holdfast/contracts/messages';
import type { ApiKeyId, MarketplaceId, NewId, UserId } from '@holdfast/kernel/ids';
import type { Currency } from '@holdfast/kernel/money';
import type { Listed, PageFilter } from '@holdfast/kernel/pages';
import type { ApiKey } from '../domain/api-key.js';
import type { Marketplace } from '../domain/marketplace.js';
import type { UserStatus } from '../domain/user-states.js';
import type { User, UserType } from '../domain/user.js';

export type UserFilter = PageFilter & {
  readonly externalUserId?: string | undefined;
  readonly email?: string | undefined;
  readonly type?: UserType | undefined;
  readonly status?: UserStatus | undefined;
};

/** A message about to be told; the envelope around it is made where it is stored. */
export type OutgoingMessage<M extends MessageDeclaration> = {
  readonly aggregateId: string;
  readonly aggregateVersion: number;
  readonly marketplaceId: MarketplaceId;
  readonly payload: Payload<M>;
};

/** Credentials from one address that were refused within one minute. */
export type RefusalCount = { readonly address: string; readonly minute: Instant; readonly count: number };

export type ReportedRefusals = { readonly gatewayId: string; readonly refusals: readonly RefusalCount[] };

/** One transaction: everything in it happens, or nothing does. */
export type UnitOfWork = {
  readonly marketplaces: { readonly insert: (marketplace: Marketplace) => Promise<void> };
  readonly apiKeys: {
    readonly insert: (key: ApiKey) => Promise<void>;
    readonly lock: (id: ApiKeyId) => Promise<ApiKey | undefined>;
    /** What was changed of its secrets and its end. */
    readonly save: (key: ApiKey) => Promise<void>;
    /** Once it is committed, every process forgets what it remembers of the key. */
    readonly invalidateCaches: (id: ApiKeyId) => void;
  };
  readonly users: {
    /** The user of the marketplace with this external id: the given one, unless there was one before. */
    readonly insertOrFind: (user: User) => Promise<User>;
    readonly lock: (marketplaceId: MarketplaceId, id: UserId) => Promise<User | undefined>;
    /** Whatever can change of a user. */
    readonly save: (user: User) => Promise<void>;
  };
  readonly refusals: {
    readonly record: (reported: ReportedRefusals) => Promise<void>;
    /** Of all minutes that began before this one, over all gateways; they are gone afterwards. */
    readonly take: (before: Instant) => Promise<readonly RefusalCount[]>;
  };
  readonly publish: <M extends MessageDeclaration>(declaration: M, message: OutgoingMessage<M>) => void;
};

/** What is done, by name and input. The operation id of the context, or one of its own, makes it happen once. */
export type Operation = { readonly name: string; readonly input: unknown; readonly ctx: Context };

export type TokenClaims = {
  readonly apiKeyId: ApiKeyId;
  readonly scopes: readonly Scope[];
  /** Of the secret it was made with. */
  readonly secretNumber: number;
  readonly expiresAt: Instant;
};

export type UserBalance = {
  readonly available: string;
  readonly reserved: string;
  readonly total: string;
  readonly currency: Currency;
};

/** The account on the ledger network that a user has been given. */
export type LedgerLink = {
  readonly marketplaceId: MarketplaceId;
  readonly userId: UserId;
  readonly ledgerAddress: string;
  readonly linkedAt: string;
};

export type UserWithBalance = { readonly user: User; readonly balance: UserBalance };

export type Deps = {
  /** Does the work in one commit, once: a repeat of the operation gets the first result, also after an unknown outcome. */
  readonly perform: <Result>(operation: Operation, work: (tx: UnitOfWork) => Promise<Result>) => Promise<Result>;
  /** One commit for work that may be repeated: doing it twice changes nothing. */
  readonly inTransaction: (ctx: Context, work: (tx: UnitOfWork) => Promise<void>) => Promise<void>;
  readonly marketplaces: {
    readonly find: (id: MarketplaceId) => Promise<Marketplace | undefined>;
    readonly list: (filter: PageFilter) => Listed<Marketplace>;
  };
  readonly apiKeys: {
    readonly find: (id: ApiKeyId) => Promise<ApiKey | undefined>;
    /** Of one marketplace, or of all of them. */
    readonly list: (marketplaceId: MarketplaceId | undefined, filter: PageFilter) => Listed<ApiKey>;
    /** Kept soon, together with other uses: what is lost with a dying process is a few seconds of it. */
    readonly recordUse: (id: ApiKeyId, at: Instant) => void;
  };
  readonly users: {
    readonly find: (marketplaceId: MarketplaceId, id: UserId) => Promise<User | undefined>;
    readonly list: (marketplaceId: MarketplaceId, filter: UserFilter) => Listed<User>;
    /** Notes the message and its effect in one commit. */
    readonly linkLedger: (link: LedgerLink, message: Envelope) => Promise<void>;
    /** Resolves once every service knows this version of the user, and after a time limit in any case. */
    readonly whenPropagated: (user: User, ctx: Context) => Promise<void>;
  };
  readonly balances: {
    /** In the order of the users. SERVICE_UNAVAILABLE when the ledger does not answer. */
    readonly of: (userIds: readonly UserId[], ctx: Context) => Promise<readonly UserBalance[]>;
  };
  readonly secrets: {
    /** Random, 43 characters. */
    readonly make: () => string;
    readonly hash: (text: string) => string;
    /** Takes the same time whatever the difference. */
    readonly isSame: (hash: string, otherHash: string) => boolean;
  };
  readonly tokens: {
    readonly sign: (claims: TokenClaims, at: Instant) => string;
    /** Undefined for whatever we did not sign as it stands. That it has expired is not said here. */
    readonly open: (token: string) => TokenClaims | undefined;
  };
  readonly newId: NewId;
};
