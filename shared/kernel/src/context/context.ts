import type { MarketplaceId } from '../ids/index.js';
import type { Instant } from '../instants/index.js';

export const scopes = ['read', 'write', 'support'] as const;
export type Scope = (typeof scopes)[number];

/** `account` is a person who has logged in, `system` a service of the platform, `anonymous` the caller of a public route. */
export const callerTypes = ['master', 'api_key', 'token', 'account', 'system', 'anonymous'] as const;
/** `timer`: a time of an order that has come. It calls use cases within its service, so no token names it. */
export type CallerType = (typeof callerTypes)[number] | 'timer';

/** The verified caller of a request. `id` is the id of the API key or the user, `master`, or the name of a service. */
export type Caller = {
  readonly type: CallerType;
  readonly id: string;
  readonly marketplaceId: MarketplaceId;
  readonly scopes: readonly Scope[];
  /** When the credential expires, if it does. */
  readonly expiresAt?: Instant;
};

export type LogLine = (fields: Readonly<Record<string, unknown>>, fact: string) => void;

/** The part of a logger that product code uses: data as fields, a fact as message. */
export type Log = {
  readonly debug: LogLine;
  readonly info: LogLine;
  readonly warn: LogLine;
  readonly error: LogLine;
  /** A logger that adds these fields to every line, such as the request id. */
  readonly child: (fields: Record<string, unknown>) => Log;
};

/** The context in which a use case handles a request or message. */
export type Context = {
  readonly requestId: string;
  readonly caller: Caller;
  /** Derived from the Idempotency-Key by the gateway, so that repeated requests have the same id. */
  readonly operationId?: string;
  /** Only on routes with which a person registers or logs in. */
  readonly clientAddress?: string;
  readonly at: Instant;
  readonly log: Log;
};
