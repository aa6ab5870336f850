import { readFileSync } from 'node:fs';
import { asyncApiDocument } from '@holdfast/shared/contracts/asyncapi';
import type { RouteDeclaration } from '@holdfast/shared/contracts/http';
import { allMessages } from '@holdfast/shared/contracts/messages';
import { openApiDocument } from '@holdfast/shared/contracts/openapi';
import { apiPrefix, createRouter, send, type Middleware, type PreparedResponse } from '@holdfast/shared/http-server';
import type { Router } from 'express';
import { contentSecurityPolicy } from 'helmet';
import { referenceContentSecurityPolicy } from './helmet-options.js';

/** In the folder `reference`, and served as they are. */
const files = [
  { path: '/docs', file: 'index.html', contentType: 'text/html; charset=utf-8' },
  { path: '/docs/', file: 'index.html', contentType: 'text/html; charset=utf-8' },
  { path: '/docs/reference.css', file: 'reference.css', contentType: 'text/css; charset=utf-8' },
  { path: '/docs/reference.js', file: 'reference.js', contentType: 'text/javascript; charset=utf-8' },
  { path: '/docs/describe.js', file: 'describe.js', contentType: 'text/javascript; charset=utf-8' },
  { path: '/docs/try-it.js', file: 'try-it.js', contentType: 'text/javascript; charset=utf-8' },
] as const;

export type ReferencePage = { readonly path: string; readonly page: PreparedResponse };

/** The reference for people and programs. Computed once: it follows from the contracts alone. */
export function createReferencePages(routes: readonly RouteDeclaration[], version: string): readonly ReferencePage[] {
  const openApi: PreparedResponse = { status: 200, text: JSON.stringify(openApiDocument(routes, allMessages, version)) };
  const asyncApi: PreparedResponse = { status: 200, text: JSON.stringify(asyncApiDocument(allMessages, version)) };
  return [
    { path: '/openapi.json', page: openApi },
    { path: `${apiPrefix}/openapi.json`, page: openApi },
    { path: '/asyncapi.json', page: asyncApi },
    ...files.map(({ path, file, contentType }) => ({ path, page: { status: 200, text: textOf(file), contentType } })),
  ];
}

function textOf(file: string): string {
  return readFileSync(new URL(`../reference/${file}`, import.meta.url), 'utf8');
}

/** Serves the pages, with a policy that lets a browser show them. */
export function referencePages(pages: readonly ReferencePage[]): Router {
  const router = createRouter();
  const policy = contentSecurityPolicy(referenceContentSecurityPolicy);
  for (const { path, page } of pages) router.get(path, policy, sendPage(page));
  return router;
}

function sendPage(page: PreparedResponse): Middleware {
  return (_request, response) => {
    response.locals.pageLabel = 'reference';
    send(response, page);
  };
}
