import { IncomingMessage, ServerResponse } from 'node:http';
import express, { type Express, type Request, type RequestHandler, type Response, type Router } from 'express';
import type { Caller } from '@holdfast/kernel/context';
import type { RouteDeclaration } from '@holdfast/contracts/http';

/** Type of `res.locals` in every server. */
export type RequestLocals = {
  requestId: string;
  /** The raw bytes, set by `rawBody`. */
  body: Buffer;
  route?: RouteDeclaration;
  /** The label in logs and metrics for pages that are not declared routes. */
  pageLabel?: string;
  /** The code of an error response. */
  errorCode?: string;
  /** The verified caller, for the log. */
  caller?: Caller;
  /** Whether the request gets no log line of its own, because it is counted instead. */
  isUnlogged?: boolean;
};

/** Declared paths have no wildcards, whose values would be arrays. */
type Params = Record<string, string>;

export type Middleware<Locals extends RequestLocals = RequestLocals> = RequestHandler<Params, unknown, unknown, unknown, Locals>;

/** Express with the settings that all servers share. */
export function createExpressApp(): Express {
  return express().enable('case sensitive routing').enable('strict routing').disable('x-powered-by').disable('etag');
}

type MessageClasses = { readonly IncomingMessage: typeof IncomingMessage; readonly ServerResponse: typeof ServerResponse };

/**
 * The classes with which a server creates the requests and responses of an app. Express changes the prototype of each object to
 * `app.request` or `app.response`, which makes all later operations on it slow in V8. Objects of these classes have that prototype
 * from the start. See ADR 0042.
 */
export function messageClassesOf(app: Express): MessageClasses {
  /* eslint-disable holdfast/no-class, holdfast/no-type-assertion -- Node takes classes, and setPrototypeOf has no type */
  class AppRequest extends IncomingMessage {}
  class AppResponse<For extends IncomingMessage> extends ServerResponse<For> {}
  app.request = Object.setPrototypeOf(AppRequest.prototype, app.request) as Request;
  app.response = Object.setPrototypeOf(AppResponse.prototype, app.response) as Response;
  /* eslint-enable holdfast/no-class, holdfast/no-type-assertion */
  return { IncomingMessage: AppRequest, ServerResponse: AppResponse };
}

/** A router does not inherit the settings of its app. */
export function createRouter(): Router {
  return express.Router({ caseSensitive: true, strict: true });
}
