import express, { type Express, type RequestHandler, type Router } from 'express';
import type { RouteDeclaration } from '../contracts/http/index.js';

/** What the middleware of every server knows about a request. */
export type RequestLocals = {
  requestId: string;
  /** The raw bytes, once they have been read. */
  body: Buffer;
  route?: RouteDeclaration;
  /** The label in logs and metrics of a page that is no declared route. */
  pageLabel?: string;
  /** Of a response that refuses the request. */
  errorCode?: string;
};

/** No path here has a wildcard, whose value would be a list. */
type Params = Record<string, string>;

export type Middleware<Locals extends RequestLocals = RequestLocals> = RequestHandler<Params, unknown, unknown, unknown, Locals>;

/** Express with the settings of every server here. */
export function createExpressApp(): Express {
  return express().enable('case sensitive routing').enable('strict routing').disable('x-powered-by').disable('etag');
}

/** A router does not inherit the settings of its app. */
export function createRouter(): Router {
  return express.Router({ caseSensitive: true, strict: true });
}
