import type { z } from 'zod';
import type { ErrorCode } from '@holdfast/kernel/errors';
import type { ServiceName } from '../services/index.js';

/** The required credential: one with a scope, any of a marketplace, the master key, the token of a person's account, or none. */
export const routeAuths = ['public', 'any', 'read', 'write', 'support', 'master', 'account'] as const;
export type RouteAuth = (typeof routeAuths)[number];

export const httpMethods = ['get', 'post', 'patch', 'delete'] as const;
export type HttpMethod = (typeof httpMethods)[number];

export const routeFamilies = ['order', 'plain', 'account'] as const;
export type RouteFamily = (typeof routeFamilies)[number];

/** The service that serves the route, or the gateway itself. */
export type RouteOwner = ServiceName | 'gateway';

/**
 * What a response may wait for outside of its service. `sagas`: the three that pay into escrow, one after the other. `test-clock`: all that
 * happens until the time to which a test clock is advanced.
 */
export type RouteWait = 'saga' | 'sagas' | 'provider' | 'test-clock';

/** How many times the time limit of one saga a response may wait. See ADR 0059. */
export const timeoutFactors: Readonly<Record<RouteWait, number>> = { saga: 1, sagas: 3, provider: 1, 'test-clock': 4 };

/**
 * `bare`: JSON without an envelope. `page`: a redirect or an HTML page for browsers. `event-stream`: server-sent events with the
 * declared data.
 */
export const successForms = ['bare', 'page', 'event-stream'] as const;
export type SuccessForm = (typeof successForms)[number];

/** `operator-routes`: the setting OPERATOR_ROUTES of the gateway. `sandbox`: the sandbox simulates all providers. */
export const routeSwitches = ['operator-routes', 'sandbox'] as const;
export type RouteSwitch = (typeof routeSwitches)[number];

type Shape = z.ZodType;

export type RouteDeclaration<
  Params extends Shape = Shape,
  Query extends Shape = Shape,
  Body extends Shape = Shape,
  Data extends Shape = Shape,
> = {
  /** Unique; the operation id in the reference: the resource and the verb, as in `orders.create`. */
  readonly name: string;
  readonly method: HttpMethod;
  /** Relative to the prefix of the family, with `{placeholders}` as in OpenAPI. */
  readonly path: string;
  readonly service: RouteOwner;
  readonly summary: string;
  readonly description?: string;
  readonly auth: RouteAuth;
  /** Only services of the platform may call it: the gateway does not route it, and the API reference does not list it. */
  readonly isInternal?: true;
  /**
   * The service decides whether a request counts for the rate limit of its address, because only the service can verify the
   * signature. Requests with a valid one do not count.
   */
  readonly isCountedByService?: true;
  /** The route exists only where this is on; elsewhere the gateway responds as for an unknown path. See ADR 0111. */
  readonly onlyWith?: RouteSwitch;
  /** Whether the route supports an Idempotency-Key. */
  readonly idempotent: boolean;
  /** What protects a retry of a route that ignores an Idempotency-Key, for the API reference. */
  readonly retry?: string;
  /**
   * `order`: order, escrow, milestone, resolution and dispute routes, whose `data` is `{ success, data }` and whose status for
   * INVALID_STATE is 400. `account`: the account API, for people instead of marketplaces: no prefix, and its own envelope.
   * `plain`: all other routes.
   */
  readonly family: RouteFamily;
  readonly params: Params;
  /** The error for a malformed path parameter: the resource's 404. */
  readonly malformedParams: ErrorCode;
  readonly query: Query;
  readonly body: Body;
  /** The content of a `rawBody`, for the API reference; the handler parses it itself. */
  readonly rawContent?: Shape;
  /** Headers that the handler reads, in addition to the headers of every route. */
  readonly headers?: Shape;
  /** Error codes for malformed strings in certain fields, instead of VALIDATION_ERROR. */
  readonly refusals?: Readonly<Record<string, ErrorCode>>;
  readonly success: {
    /** 202: the request is carried out later. */
    readonly status: 200 | 201 | 202;
    readonly data: Data;
    readonly list?: boolean;
    /** The message in the envelope of the account API. */
    readonly message?: string;
    /** Default: JSON in the envelope of the route's family. */
    readonly form?: SuccessForm;
    /** A client that prefers this type in `Accept` gets the whole as one file, sent piece by piece, instead of a page as JSON. */
    readonly download?: { readonly contentType: 'text/csv'; readonly example: string };
    /** The status of a create route if the resource exists already. */
    readonly existingStatus?: 200;
    /** The status if the request was recorded, but has no effect before a later request confirms it. */
    readonly acceptedStatus?: 202;
  };
  /** Undefined if the service responds without waiting. The gateway has a separate connection pool for waiting requests. */
  readonly waitsFor?: RouteWait;
  /** In addition to the errors of every route. */
  readonly errors: readonly ErrorCode[];
  /** Messages of errors that the specification words for this route; other errors have the catalogue's message. */
  readonly errorMessages?: Readonly<Partial<Record<ErrorCode, string>>>;
};

/** The `retry` of routes that move an order, its escrow or its dispute from one state to the next. */
export const retryByState =
  'The state protects a retry: once a request has succeeded, the same request is refused with INVALID_STATE and has no effect.';

/** The paths of marketplaces begin with it, the paths of the account API do not. */
export const apiPrefix = '/api/v1';

/** The path of a route from the root of the server. */
export function fullPathOf({ family, path }: Pick<RouteDeclaration, 'family' | 'path'>): string {
  return family === 'account' ? path : `${apiPrefix}${path}`;
}

/** Declares a route. Server, gateway, OpenAPI document and tests read the declaration. */
export function route<const Route extends RouteDeclaration>(declaration: Route): Route {
  return declaration;
}
