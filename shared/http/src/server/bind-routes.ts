import type { ServerResponse } from 'node:http';
import type { z } from 'zod';
import type { Context } from '@holdfast/kernel/context';
import type { Page } from '@holdfast/kernel/pages';
import type { RouteDeclaration } from '@holdfast/contracts/http';
import type { RawBody } from '@holdfast/contracts/shapes';
import type { CountForAddress } from './address-count.js';

/**
 * The input of a handler, parsed with the schemas of its route. A stream's handler also gets the headers, a webhook's handler gets
 * `countForAddress`, and the handler of a route with a download learns whether the client prefers it.
 */
type Input<Route extends RouteDeclaration> = {
  readonly params: z.output<Route['params']>;
  readonly query: z.output<Route['query']>;
  readonly body: z.output<Route['body']>;
} & (Route['success'] extends { readonly form: 'event-stream' } ? WithHeaders : unknown) &
  (Route['success'] extends { readonly download: object } ? WithDownload : unknown) &
  (Route extends { readonly isCountedByService: true } ? WithCount : unknown);

type WithHeaders = { readonly headers: RawBody['headers'] };
type WithDownload = { readonly isDownload: boolean };
type WithCount = { readonly countForAddress: CountForAddress };

/** The result of a route with an `existingStatus`: the resource, and whether it was created by this request. */
export type Creation<Data> = { readonly isNew: boolean; readonly data: Data };

/** The result of a route with an `acceptedStatus`: the resource, and whether the request waits for its confirmation. */
export type Acceptance<Data> = { readonly isPending: boolean; readonly data: Data };

/**
 * Writes the events of a stream. It is called with the response after the headers were sent, and writes to it until the client or
 * the service closes it.
 */
export type StreamWriter = (response: ServerResponse) => void;

/** A file that is sent piece by piece, as fast as the client reads it. */
export type Download = { readonly fileName: string; readonly chunks: AsyncIterable<string> };

/** The data of the success envelope; one page of it for a list. */
type Result<Success extends RouteDeclaration['success'], Data = z.input<Success['data']>> = Success extends {
  readonly list: true;
}
  ? Page<Data>
  : Success extends { readonly existingStatus: number }
    ? Creation<Data>
    : Success extends { readonly acceptedStatus: number }
      ? Acceptance<Data>
      : Success extends { readonly form: 'event-stream' }
        ? StreamWriter
        : Success extends { readonly download: object }
          ? Data | Download
          : Data;

/** The handler of a declared route. It may throw an AppError. */
export type RouteHandler<Route extends RouteDeclaration> = (
  input: Input<Route>,
  ctx: Context,
) => Promise<Result<Route['success']>>;

type Routes = Readonly<Record<string, RouteDeclaration>>;

/**
 * A declared route with its handler. `run` is declared as a method so that handlers of any input type are assignable; the server
 * parses the input with the schemas of the same declaration.
 */
export type BoundRoute = {
  readonly declaration: RouteDeclaration;
  run(input: Input<RouteDeclaration>, ctx: Context): Promise<unknown>;
};

/** Binds one declared route to its handler. */
export function handle<Route extends RouteDeclaration>(declaration: Route, run: RouteHandler<Route>): BoundRoute {
  return { declaration, run };
}

/** Binds declared routes to their handlers. A missing handler does not compile. */
export function bindRoutes<Declared extends Routes>(
  routes: Declared,
  handlers: { readonly [Name in keyof Declared]: RouteHandler<Declared[Name]> },
): readonly BoundRoute[];
export function bindRoutes(routes: Routes, handlers: Readonly<Record<string, BoundRoute['run']>>): readonly BoundRoute[] {
  return Object.entries(routes).map(([name, declaration]) => {
    const run = handlers[name];
    if (run === undefined) throw new Error(`There is no handler for the route ${declaration.name}.`);
    return { declaration, run };
  });
}
