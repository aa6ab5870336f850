import type { RouteDeclaration } from '../http/index.js';
import { componentsWith } from './components.js';
import { operationOf } from './operation.js';
import type { DescribedSchema } from './schema.js';
import { allTags, tagOf } from './tags.js';
import type { OpenApiDocument, Operation } from './types.js';

const introduction = `Holds a marketplace's money, escrows it on a public ledger network, and pays it out.

Bodies are JSON. Fields are answered in camelCase; in requests orderId and order_id are the same field. Amounts are
decimal strings. Unknown fields and unknown query parameters are refused. Every answer carries X-Request-ID.`;

/** The reference of the routes, computed from their declarations alone: the same routes always give the same document. */
export function openApiDocument(routes: readonly RouteDeclaration[], version: string): OpenApiDocument {
  const described = routes.map((route) => ({ route, ...operationOf(route) }));
  const used = new Set<string>(routes.map((route) => tagOf[route.service].name));
  return {
    openapi: '3.1.0',
    info: { title: 'Holdfast', version, description: introduction, license: { name: 'Apache-2.0', identifier: 'Apache-2.0' } },
    servers: [{ url: '/api/v1' }],
    tags: allTags.filter(({ name }) => used.has(name)),
    paths: pathsOf(described),
    components: componentsWith(mergeNamed(described.map(({ named }) => named))),
  };
}

type Described = { readonly route: RouteDeclaration; readonly operation: Operation };

function pathsOf(described: readonly Described[]): OpenApiDocument['paths'] {
  const paths: Record<string, Record<string, Operation>> = {};
  for (const { route, operation } of described) {
    const onPath = (paths[route.path] ??= {});
    if (onPath[route.method] !== undefined) throw new Error(`${route.method} ${route.path} is declared twice`);
    onPath[route.method] = operation;
  }
  return paths;
}

/** One name means one shape, wherever it appears. */
function mergeNamed(all: readonly DescribedSchema['named'][]): DescribedSchema['named'] {
  const merged = new Map<string, DescribedSchema['named'][string]>();
  for (const [name, schema] of all.flatMap((named) => Object.entries(named))) {
    const known = merged.get(name);
    if (known !== undefined && JSON.stringify(known) !== JSON.stringify(schema)) {
      throw new Error(`two different schemas are named ${name}`);
    }
    merged.set(name, schema);
  }
  return Object.fromEntries(merged);
}
