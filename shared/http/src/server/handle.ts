import type { ServerResponse } from 'node:http';
import type { z } from 'zod';
import type { Context } from '@holdfast/kernel/context';
import type { RouteDeclaration } from '@holdfast/contracts/http';
import type { RawBody } from '@holdfast/contracts/shapes';

/** What a handler is given: every part parsed by the route's own schemas. */
export type Input<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType> = {
  readonly params: z.output<P>;
  readonly query: z.output<Q>;
  readonly body: z.output<B>;
};

/** One page of a list, newest first. `nextCursor` is null on the last page. */
export type Page<Item> = { readonly items: readonly Item[]; readonly nextCursor: string | null };

type AnyInput = Input<z.ZodType, z.ZodType, z.ZodType>;

/**
 * A declared route with the code that answers it. `run` is written as a method so that handlers of every input fit: the
 * server parses with the schemas of this very declaration before it calls.
 */
export type BoundRoute = {
  readonly declaration: RouteDeclaration;
  run(input: AnyInput, ctx: Context): Promise<unknown>;
};

/** Binds a declared route to its handler, which returns the object that goes into the success envelope. */
export function handle<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType, D extends z.ZodType>(
  declaration: RouteDeclaration<P, Q, B, D>,
  handler: (input: Input<P, Q, B>, ctx: Context) => Promise<z.input<D>>,
): BoundRoute {
  const { list, existingStatus } = declaration.success;
  if (list === true) throw new Error(`route ${declaration.name} is a list: bind it with handleList`);
  if (existingStatus !== undefined)
    throw new Error(`route ${declaration.name} may find what it creates: bind it with handleCreate`);
  return { declaration, run: handler };
}

/** What a create answers with, and whether it was there before. */
export type Creation<Data> = { readonly isNew: boolean; readonly data: Data };

/** Binds a declared create that may find the thing already there, which its `success.existingStatus` then says. */
export function handleCreate<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType, D extends z.ZodType>(
  declaration: RouteDeclaration<P, Q, B, D>,
  handler: (input: Input<P, Q, B>, ctx: Context) => Promise<Creation<z.input<D>>>,
): BoundRoute {
  if (declaration.success.existingStatus === undefined)
    throw new Error(`route ${declaration.name} always makes a new one: bind it with handle`);
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

/** What the handler of a stream is given besides. */
export type WithHeaders = { readonly headers: RawBody['headers'] };

/**
 * Binds a declared event stream. The handler may still refuse; what it returns is called with the response once the headers
 * are on their way, and writes to it until one of both sides ends it.
 */
export function handleStream<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType>(
  declaration: RouteDeclaration<P, Q, B>,
  handler: (input: Input<P, Q, B> & WithHeaders, ctx: Context) => Promise<(response: ServerResponse) => void>,
): BoundRoute {
  if (declaration.success.form !== 'event-stream') throw new Error(`route ${declaration.name} is no stream: bind it with handle`);
  return { declaration, run: handler };
}
