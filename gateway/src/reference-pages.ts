import { fileURLToPath } from 'node:url';
import type { Router } from 'express';
import { contentSecurityPolicy } from 'helmet';
import { asyncApiDocument } from '@holdfast/contracts/asyncapi';
import { apiPrefix, type RouteDeclaration } from '@holdfast/contracts/http';
import { allMessages } from '@holdfast/contracts/messages';
import { exampleUsers, openApiDocument } from '@holdfast/contracts/openapi';
import { createRouter, type Middleware } from '@holdfast/http/server';
import { referenceContentSecurityPolicy } from './helmet-options.js';
import { compress, pageHeaders, sendContent, type Content } from './page-content.js';

/** Static files in `reference/`. */
const files = [
  { path: '/docs', file: 'index.html' },
  { path: '/docs/', file: 'index.html' },
  { path: '/docs/configuration.js', file: 'configuration.js' },
] as const;

const ownFolder = fileURLToPath(new URL('../reference/', import.meta.url));
/** Where the build puts Scalar's browser bundle, plain and compressed. */
const builtFolder = fileURLToPath(new URL('../dist/reference/', import.meta.url));

/** Users of this installation for the examples of the API reference. */
export type DemoUsers = { readonly buyerId: string; readonly sellerId: string };

/** A JSON document, written and compressed at the first request for it: a start does not wait for it. */
export type ReferenceDocument = { readonly path: string; readonly content: () => Content };

type Options = { readonly version: string; readonly demoUsers?: DemoUsers | undefined };

export function createReferenceDocuments(
  routes: readonly RouteDeclaration[],
  { version, demoUsers = exampleUsers }: Options,
): readonly ReferenceDocument[] {
  const openApi = writtenOnce(() =>
    JSON.stringify(openApiDocument(routes, allMessages, version))
      .replaceAll(exampleUsers.buyerId, demoUsers.buyerId)
      .replaceAll(exampleUsers.sellerId, demoUsers.sellerId),
  );
  const asyncApi = writtenOnce(() => JSON.stringify(asyncApiDocument(allMessages, version)));
  return [
    { path: '/openapi.json', content: openApi },
    { path: `${apiPrefix}/openapi.json`, content: openApi },
    { path: '/asyncapi.json', content: asyncApi },
  ];
}

function writtenOnce(write: () => string): () => Content {
  let content: Content | undefined;
  return () => (content ??= compress(write()));
}

/** Serves the OpenAPI and AsyncAPI documents and the reference page at /docs, to which / leads. Browsers revalidate their copies. */
export function referencePages(documents: readonly ReferenceDocument[]): Router {
  const router = createRouter();
  const policy = contentSecurityPolicy(referenceContentSecurityPolicy);
  for (const document of documents) router.get(document.path, policy, pageHeaders, sendDocument(document));
  for (const { path, file } of files) router.get(path, policy, pageHeaders, sendOwnFile(file));
  router.get('/docs/scalar.js', policy, pageHeaders, sendScalar);
  router.get('/', pageHeaders, (_request, response) => response.redirect('/docs'));
  return router;
}

function sendDocument({ content }: ReferenceDocument): Middleware {
  return (request, response) => sendContent(request, response, 'application/json', content());
}

function sendOwnFile(file: string): Middleware {
  return (_request, response) => response.sendFile(file, { root: ownFolder });
}

const sendScalar: Middleware = (request, response) => {
  const isCompressed = request.acceptsEncodings('gzip') === 'gzip';
  response.set('Content-Type', 'text/javascript; charset=utf-8');
  if (isCompressed) response.set('Content-Encoding', 'gzip');
  response.sendFile(isCompressed ? 'scalar.js.gz' : 'scalar.js', { root: builtFolder });
};
