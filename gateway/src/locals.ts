import type { Caller } from '@holdfast/kernel/context';
import type { RouteDeclaration } from '@holdfast/contracts/http';
import type { Middleware, RequestLocals } from '@holdfast/http/server';
import type { Identification } from './identification.js';

/** What the pipeline knows about a request. Each part is set by the middleware named beside it, before anybody reads it. */
export type GatewayLocals = RequestLocals & {
  /** identifyCaller: where the request comes from, as far as that can be trusted. */
  address: string;
  /** identifyCaller */
  identification: Identification;
  /** matchRoute */
  route: RouteDeclaration;
  /** requireCaller */
  caller: Caller;
};

export type GatewayMiddleware = Middleware<GatewayLocals>;
