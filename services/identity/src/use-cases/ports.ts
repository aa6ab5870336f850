import type { Context, Instant, Scope } from '@holdfast/kernel/context';
import type { RemainingWork } from '@holdfast/contracts/http';
import type { Envelope, MessageDeclaration, Payload } from '@holdfast/contracts/messages';
import type { ApiKeyId, MarketplaceId, MessageId, NewId, UserId } from '@holdfast/kernel/ids';
import type { Duration } from '@holdfast/kernel/instants';
import type { Currency } from '@holdfast/kernel/money';
import type { Listed, PageFilter } from '@holdfast/kernel/pages';
import type { IdempotentRequest } from '@holdfast/service-kit/idempotent-requests';
import type { Login } from '../domain/login.js';
import type { ApiKey } from '../domain/api-key.js';
import type { EmergencyStop } from '../domain/emergency-stop.js';
import type { Marketplace } from '../domain/marketplace.js';
import type { UserStatus } from '../domain/user-states.js';
import type { User, UserType } from '../domain/user.js';
import type { LoginDeps } from './login-ports.js';

export type UserFilter = PageFilter & {
  readonly externalUserId?: string | undefined;
  readonly email?: string | undefined;
  readonly type?: UserType | undefined;
  readonly status?: UserStatus | undefined;
};

/** A message before it gets its envelope from the outbox. */
export type OutgoingMessage<Data> = {
  readonly aggregateId: string;
  readonly aggregateVersion: number;
  readonly marketplaceId: MarketplaceId;
  /** The public event that an audit entry reports. */
  readonly afterEventId?: MessageId | undefined;
  readonly payload: Data;
};

/** The number of credentials from one address that were refused within one minute. */
export type RefusalCount = { readonly address: string; readonly minute: Instant; readonly count: number };

export type ReportedRefusals = { readonly gatewayId: string; readonly refusals: readonly RefusalCount[] };

/** The stores of one transaction. */
export type UnitOfWork = {
  readonly marketplaces: {
    readonly insert: (marketplace: Marketplace) => Promise<void>;
    readonly lock: (id: MarketplaceId) => Promise<Marketplace | undefined>;
    /** Updates the columns that can change. */
    readonly save: (marketplace: Marketplace) => Promise<void>;
  };
  readonly apiKeys: {
    readonly insert: (key: ApiKey) => Promise<void>;
    readonly lock: (id: ApiKeyId) => Promise<ApiKey | undefined>;
    /** Updates the secrets and the revocation. */
    readonly save: (key: ApiKey) => Promise<void>;
    /** After the commit, notifies every process to drop the key from its credential cache. */
    readonly invalidateCaches: (id: ApiKeyId) => void;
  };
  readonly users: {
    /** Inserts the user, or returns the existing one with the same marketplace and external id. */
    readonly insertOrFind: (user: User) => Promise<User>;
    readonly lock: (marketplaceId: MarketplaceId, id: UserId) => Promise<User | undefined>;
    /** Updates the columns that can change. */
    readonly save: (user: User) => Promise<void>;
  };
  readonly logins: {
    /** False if the address has a login already. */
    readonly insert: (login: Login) => Promise<boolean>;
  };
  readonly refusals: {
    readonly record: (reported: ReportedRefusals) => Promise<void>;
    /** Deletes and returns the counts of the minutes that began before this time, summed over all gateways. */
    readonly take: (before: Instant) => Promise<readonly RefusalCount[]>;
  };
  readonly emergencyStop: {
    readonly lock: () => Promise<EmergencyStop>;
    readonly save: (stop: EmergencyStop) => Promise<void>;
  };
  /** Returns whether the message is new to this service. */
  readonly recordMessage: (id: MessageId) => Promise<boolean>;
  /** Returns the id of the message. */
  readonly publish: <M extends MessageDeclaration>(declaration: M, message: OutgoingMessage<Payload<M>>) => MessageId;
};

export type TokenClaims = {
  readonly apiKeyId: ApiKeyId;
  readonly scopes: readonly Scope[];
  /** The number of the secret with which the token was issued. */
  readonly secretNumber: number;
  readonly expiresAt: Instant;
};

export type UserBalance = {
  readonly available: string;
  readonly reserved: string;
  readonly total: string;
  readonly currency: Currency;
};

/** The assignment of an account on the ledger network to a user. */
export type LedgerLink = {
  readonly marketplaceId: MarketplaceId;
  readonly userId: UserId;
  readonly ledgerAddress: string;
  readonly linkedAt: string;
};

/** The assignment of an account at the payment provider to a user. */
export type PaymentAccountLink = {
  readonly marketplaceId: MarketplaceId;
  readonly userId: UserId;
  readonly paymentAccountUserId: string;
  readonly linkedAt: string;
};

export type UserWithBalance = { readonly user: User; readonly balance: UserBalance };

export type Deps = LoginDeps & {
  /** Runs the work in one transaction, once: a repeated operation gets the first result, also after an unknown outcome. */
  readonly perform: <Result>(request: IdempotentRequest, work: (tx: UnitOfWork) => Promise<Result>) => Promise<Result>;
  /** One transaction for work that is idempotent by itself. */
  readonly inTransaction: (ctx: Context, work: (tx: UnitOfWork) => Promise<void>) => Promise<void>;
  readonly marketplaces: {
    readonly find: (id: MarketplaceId) => Promise<Marketplace | undefined>;
    readonly list: (filter: PageFilter) => Listed<Marketplace>;
  };
  readonly apiKeys: {
    readonly find: (id: ApiKeyId) => Promise<ApiKey | undefined>;
    /** The keys of one marketplace, or of all marketplaces. */
    readonly list: (marketplaceId: MarketplaceId | undefined, filter: PageFilter) => Listed<ApiKey>;
    /** Written with the next flush; a process that crashes loses a few seconds of uses. */
    readonly recordUse: (id: ApiKeyId, at: Instant) => void;
  };
  readonly users: {
    readonly find: (marketplaceId: MarketplaceId, id: UserId) => Promise<User | undefined>;
    readonly list: (marketplaceId: MarketplaceId, filter: UserFilter) => Listed<User>;
    /** Writes the inbox record and the link in one transaction. */
    readonly linkLedger: (link: LedgerLink, message: Envelope) => Promise<void>;
    readonly linkPaymentAccount: (link: PaymentAccountLink, message: Envelope) => Promise<void>;
    /** Resolves once every service has consumed this version of the user, or after a time limit. */
    readonly whenPropagated: (user: User, ctx: Context) => Promise<void>;
  };
  readonly emergencyStop: { readonly find: () => Promise<EmergencyStop> };
  readonly testClock: {
    /** The real time. */
    readonly now: () => Instant;
    /** NOT_FOUND unless the sandbox plays all providers. SERVICE_UNAVAILABLE while their services do not say. */
    readonly requireAvailable: (ctx: Context) => Promise<void>;
    /** What is due by the clock of the caller's marketplace and has not ended: nothing, or at the time limit what is left. */
    readonly remainingAt: (offsetSeconds: number, ctx: Context) => Promise<readonly RemainingWork[]>;
  };
  readonly balances: {
    /** Balances in the order of the users. Throws SERVICE_UNAVAILABLE while ledger-balance does not respond. */
    readonly of: (userIds: readonly UserId[], ctx: Context) => Promise<readonly UserBalance[]>;
  };
  readonly secrets: {
    /** 32 random bytes as 43 characters of base64url. */
    readonly generate: () => string;
    readonly hash: (text: string) => string;
    /** Compares in constant time. */
    readonly isEqual: (hash: string, otherHash: string) => boolean;
  };
  readonly tokens: {
    readonly sign: (claims: TokenClaims, at: Instant) => string;
    /** Undefined where the signature or the claims are invalid. The expiry is not checked here. */
    readonly verify: (token: string) => TokenClaims | undefined;
  };
  /** The shortest period of a dispute that a marketplace can set. */
  readonly disputePeriodMin: Duration;
  readonly newId: NewId;
};
