import type { ServerResponse } from 'node:http';
import type { z } from 'zod';
import type { Context } from '@holdfast/kernel/context';
import type { Page } from '@holdfast/kernel/pages';
import type { RouteDeclaration } from '@holdfast/contracts/http';
import type { RawBody } from '@holdfast/contracts/shapes';

/** The input of a handler, parsed with the schemas of its route. */
export type Input<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType> = {
  readonly params: z.output<P>;
  readonly query: z.output<Q>;
  readonly body: z.output<B>;
};

type AnyInput = Input<z.ZodType, z.ZodType, z.ZodType>;

/**
 * A declared route with its handler. `run` is declared as a method so that handlers of any input type are assignable; the server
 * parses the input with the schemas of the same declaration.
 */
export type BoundRoute = {
  readonly declaration: RouteDeclaration;
  run(input: AnyInput, ctx: Context): Promise<unknown>;
};

/** Binds a declared route to its handler, which returns the data of the success envelope. */
export function handle<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType, D extends z.ZodType>(
  declaration: RouteDeclaration<P, Q, B, D>,
  handler: (input: Input<P, Q, B>, ctx: Context) => Promise<z.input<D>>,
): BoundRoute {
  const { list, existingStatus } = declaration.success;
  if (list === true) throw new Error(`route ${declaration.name} is a list: bind it with handleList`);
  if (existingStatus !== undefined) throw new Error(`route ${declaration.name} has an existingStatus: bind it with handleCreate`);
  return { declaration, run: handler };
}

/** The result of a create route: the resource, and whether it was created by this request. */
export type Creation<Data> = { readonly isNew: boolean; readonly data: Data };

/** Binds a declared create route that responds with `success.existingStatus` if the resource exists already. */
export function handleCreate<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType, D extends z.ZodType>(
  declaration: RouteDeclaration<P, Q, B, D>,
  handler: (input: Input<P, Q, B>, ctx: Context) => Promise<Creation<z.input<D>>>,
): BoundRoute {
  if (declaration.success.existingStatus === undefined)
    throw new Error(`route ${declaration.name} has no existingStatus: bind it with handle`);
  return { declaration, run: handler };
}

/** Binds a declared list route; its `success.data` describes one item. */
export function handleList<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType, D extends z.ZodType>(
  declaration: RouteDeclaration<P, Q, B, D>,
  handler: (input: Input<P, Q, B>, ctx: Context) => Promise<Page<z.input<D>>>,
): BoundRoute {
  if (declaration.success.list !== true) throw new Error(`route ${declaration.name} is not a list: bind it with handle`);
  return { declaration, run: handler };
}

/** Additional input of the handler of a stream. */
export type WithHeaders = { readonly headers: RawBody['headers'] };

/**
 * Binds a declared event stream. The handler may throw an AppError. The function that it returns is called with the response after
 * the headers were sent, and writes to it until the client or the service closes it.
 */
export function handleStream<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType>(
  declaration: RouteDeclaration<P, Q, B>,
  handler: (input: Input<P, Q, B> & WithHeaders, ctx: Context) => Promise<(response: ServerResponse) => void>,
): BoundRoute {
  if (declaration.success.form !== 'event-stream')
    throw new Error(`route ${declaration.name} is not a stream: bind it with handle`);
  return { declaration, run: handler };
}
