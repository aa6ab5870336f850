import { IncomingMessage, ServerResponse } from 'node:http';
import express, { type Express, type Request, type RequestHandler, type Response, type Router } from 'express';
import type { RouteDeclaration } from '@holdfast/contracts/http';

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

type MessageClasses = { readonly IncomingMessage: typeof IncomingMessage; readonly ServerResponse: typeof ServerResponse };

/**
 * The classes that a server makes the requests and responses of an app with. Express gives each of them the prototype `app.request`
 * or `app.response`. V8 is slow with objects whose prototype changes after they were made, in everything that happens to them, so
 * these have the right one from the beginning.
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
