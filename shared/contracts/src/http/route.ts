import type { z } from 'zod';
import type { ErrorCode } from '@holdfast/kernel/errors';
import type { ServiceName } from '../services/index.js';

/** What a caller must hold: a scope, any credential, the master key, or nothing at all. */
export const routeAuths = ['public', 'any', 'read', 'write', 'support', 'master'] as const;
export type RouteAuth = (typeof routeAuths)[number];

export const httpMethods = ['get', 'post', 'patch', 'delete'] as const;
export type HttpMethod = (typeof httpMethods)[number];

/** Who answers: the service that owns the thing, or the gateway itself. */
export type RouteOwner = ServiceName | 'gateway';

/** What a response may have to wait for beyond the service itself. */
export type RouteWait = 'saga' | 'provider';

/**
 * `bare`: JSON without an envelope. `page`: for browsers, a way elsewhere or a small page of HTML. `event-stream`: server-sent
 * events, each of which carries the declared data.
 */
export const successForms = ['bare', 'page', 'event-stream'] as const;
export type SuccessForm = (typeof successForms)[number];

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
  /** Relative to /api/v1, with `{placeholders}` as in OpenAPI. */
  readonly path: string;
  readonly service: RouteOwner;
  readonly summary: string;
  readonly description?: string;
  readonly auth: RouteAuth;
  /**
   * A question among the parts of the platform: in no reference, out of the gateway's reach, and answered to nobody but them.
   */
  readonly isInternal?: true;
  /** Whether an Idempotency-Key is honoured. */
  readonly idempotent: boolean;
  /**
   * `order`: order, escrow, milestone, resolution and dispute routes, which put `{ success, data }` into `data` and answer
   * INVALID_STATE with 400. `plain`: everything else.
   */
  readonly family: 'order' | 'plain';
  readonly params: Params;
  /** What a malformed path value is answered with: the resource's own 404. */
  readonly malformedParams: ErrorCode;
  readonly query: Query;
  readonly body: Body;
  /** What the bytes of a `rawBody` should hold, for the reference; the handler reads them itself. */
  readonly rawContent?: Shape;
  /** Headers that the handler reads, beyond those of every route. */
  readonly headers?: Shape;
  /** Fields whose malformed text has a code of its own instead of VALIDATION_ERROR. */
  readonly refusals?: Readonly<Record<string, ErrorCode>>;
  readonly success: {
    readonly status: 200 | 201;
    readonly data: Data;
    readonly list?: boolean;
    /** JSON in the envelope of its family, unless told otherwise. */
    readonly form?: SuccessForm;
    /** Creates that may find the thing already there say so with this status. */
    readonly existingStatus?: 200;
  };
  /** Left out where the service responds on its own. The gateway gives these requests connections of their own. */
  readonly waitsFor?: RouteWait;
  /** Beyond those every route can answer with. */
  readonly errors: readonly ErrorCode[];
};

/** Declares a route once; server, gateway table, OpenAPI and the tests that walk all routes read this. */
export function route<P extends Shape, Q extends Shape, B extends Shape, D extends Shape>(
  declaration: RouteDeclaration<P, Q, B, D>,
): RouteDeclaration<P, Q, B, D> {
  return declaration;
}
