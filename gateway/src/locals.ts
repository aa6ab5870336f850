import type { Caller } from '@holdfast/kernel/context';
import type { RouteDeclaration } from '@holdfast/contracts/http';
import type { Middleware, RequestLocals } from '@holdfast/http/server';
import type { Identification } from './identification.js';

/** Type of `res.locals`. Each property is set by the middleware that its comment names. */
export type GatewayLocals = RequestLocals & {
  /** identifyCaller: the client address, see `clientAddressOf`. */
  address: string;
  /** identifyCaller */
  identification: Identification;
  /** markUncounted: the request is not counted, and its credential is not looked up. */
  isHealthRequest?: boolean;
  /** markUncounted: the service decides whether the request counts for its address. */
  isCountedByService?: boolean;
  /** forwardWebhook */
  isWebhookForwarded?: boolean;
  /** matchRoute */
  route: RouteDeclaration;
  /** identifyCaller, if verified; authorizeCaller, on every route */
  caller: Caller;
};

export type GatewayMiddleware = Middleware<GatewayLocals>;
