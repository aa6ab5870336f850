import type { MarketplaceId } from '../ids/index.js';
import type { Instant } from './instant.js';

export const scopes = ['read', 'write', 'support'] as const;
export type Scope = (typeof scopes)[number];

/** `system` is a service of the platform itself, `anonymous` whoever uses a public route: it opens nothing else. */
export const callerTypes = ['master', 'api_key', 'token', 'system', 'anonymous'] as const;
export type CallerType = (typeof callerTypes)[number];

/** Who asks, as the gateway verified it. `id` is the key's id, `master`, or the name of the service itself. */
export type Caller = {
  readonly type: CallerType;
  readonly id: string;
  readonly marketplaceId: MarketplaceId;
  readonly scopes: readonly Scope[];
  /** When the credential ends; absent where it does not. */
  readonly expiresAt?: Instant;
};

export type LogLine = (fields: Readonly<Record<string, unknown>>, fact: string) => void;

/** The part of a logger that product code uses: data as fields, a fact as message. */
export type Log = {
  readonly debug: LogLine;
  readonly info: LogLine;
  readonly warn: LogLine;
  readonly error: LogLine;
  /** The same log with fields that every line has, such as the id of the request. */
  readonly child: (fields: Record<string, unknown>) => Log;
};

/** What travels with one request or message through a service. */
export type Context = {
  readonly requestId: string;
  readonly caller: Caller;
  /** Derived by the gateway from an Idempotency-Key: the same operation asked twice carries the same id. */
  readonly operationId?: string;
  readonly at: Instant;
  readonly log: Log;
};
