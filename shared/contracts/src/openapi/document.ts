import type { RouteDeclaration } from '../http/index.js';
import type { MessageDeclaration } from '../messages/index.js';
import { componentsWith } from './components.js';
import { operationOf, serversOf } from './operation.js';
import type { DescribedSchema } from './schema.js';
import { allTags, tagOf } from './tags.js';
import type { OpenApiDocument, Operation, PathItem } from './types.js';
import { webhooksOf } from './webhooks.js';

const introduction = `Holds a marketplace's money, escrows it on a public ledger network, and pays it out. The
[guides](/docs/guides) lead from the quick start to going live.

## Conventions

Requests and responses are JSON. Response fields are in camelCase; requests accept \`orderId\` and \`order_id\`, in bodies and in
filters. Null for an optional field is the same as leaving it out, and a text of white space counts as empty. Amounts are decimal
strings. Unknown fields and query parameters are refused. Every response has the header \`X-Request-ID\`.

## Response envelopes

A successful response is \`{ "data": …, "meta": { "requestId", "timestamp" } }\`. Two kinds of responses are wrapped twice, with another
\`data\` inside \`data\`:

- every list of every resource: \`{ "data": { "success": true, "data": [ … ], "hasMore", "nextCursor" }, "meta": … }\`. The items are in
  \`response.data.data\`.
- a single order or dispute, and all their other routes: \`{ "data": { "success": true, "data": { … } }, "meta": … }\`.

An error is \`{ "error": { "code", "message", "details" } }\`.

The routes under Account API are for people instead of marketplaces. Their paths have no prefix, their fields are in snake_case,
their amounts are JSON numbers, and their responses are \`{ "code", "type", "ok", "message", "data" }\`, with \`errors\` where a
request is invalid.

## Authentication

Send an API key, an access token or the master key as \`Authorization: Bearer <key>\`. The account API takes the token of a
registration or login instead, and that token opens nothing else.

## Events

This reference shows each event as a webhook. It is posted to your webhook endpoints, if you have created any, and comes by the stream,
\`GET /events\`, where the body that is shown is the \`data\` of a message.

## Idempotency and rate limits

Where a route accepts an \`Idempotency-Key\`, repeating the request returns the stored response. Order, escrow, resolution and
dispute routes ignore it and say what protects a retry instead. The \`X-RateLimit-*\` headers of each
response show the remaining requests.`;

/** The reference of routes and public events. It depends on their declarations only, so the document is reproducible. */
export function openApiDocument(
  routes: readonly RouteDeclaration[],
  messages: readonly MessageDeclaration[],
  version: string,
): OpenApiDocument {
  const described = routes.map((route) => ({ route, ...operationOf(route) }));
  const { webhooks, named } = webhooksOf(messages);
  const used = new Set<string>(routes.map((route) => tagOf(route).name));
  return {
    openapi: '3.1.0',
    info: { title: 'Holdfast', version, description: introduction, license: { name: 'Apache-2.0', identifier: 'Apache-2.0' } },
    servers: [{ url: '/api/v1' }],
    tags: allTags.filter(({ name }) => used.has(name)),
    paths: pathsOf(described),
    webhooks,
    components: componentsWith(mergeNamed([...described.map((one) => one.named), ...named])),
  };
}

type Described = { readonly route: RouteDeclaration; readonly operation: Operation };

function pathsOf(described: readonly Described[]): OpenApiDocument['paths'] {
  const paths: Record<string, PathItem> = {};
  for (const { route, operation } of described) {
    const onPath = (paths[route.path] ??= serversOf(route));
    if (onPath[route.method] !== undefined) throw new Error(`${route.method} ${route.path} is declared twice`);
    if ((onPath.servers === undefined) !== (operation.servers === undefined))
      throw new Error(`${route.path} is declared in both interfaces`);
    onPath[route.method] = operation;
  }
  return paths;
}

/** Throws if two different schemas have the same name. */
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
