import { readFileSync } from 'node:fs';
import { asyncApiDocument } from '@holdfast/shared/contracts/asyncapi';
import type { RouteDeclaration } from '@holdfast/shared/contracts/http';
import { allMessages } from '@holdfast/shared/contracts/messages';
import { openApiDocument } from '@holdfast/shared/contracts/openapi';
import { apiPrefix, type Answer } from '@holdfast/shared/http-server';

/** In the folder `reference`, and served as they are. */
const files = [
  { path: '/docs', file: 'index.html', contentType: 'text/html; charset=utf-8' },
  { path: '/docs/', file: 'index.html', contentType: 'text/html; charset=utf-8' },
  { path: '/docs/reference.css', file: 'reference.css', contentType: 'text/css; charset=utf-8' },
  { path: '/docs/reference.js', file: 'reference.js', contentType: 'text/javascript; charset=utf-8' },
  { path: '/docs/describe.js', file: 'describe.js', contentType: 'text/javascript; charset=utf-8' },
  { path: '/docs/try-it.js', file: 'try-it.js', contentType: 'text/javascript; charset=utf-8' },
] as const;

/** The reference for people and programs, by path. Computed once: it follows from the contracts alone. */
export function referencePages(routes: readonly RouteDeclaration[], version: string): ReadonlyMap<string, Answer> {
  const openApi: Answer = { status: 200, text: JSON.stringify(openApiDocument(routes, version)) };
  const pages = files.map(({ path, file, contentType }): readonly [string, Answer] => {
    const text = readFileSync(new URL(`../reference/${file}`, import.meta.url), 'utf8');
    return [path, { status: 200, text, contentType }];
  });
  const asyncApi: Answer = { status: 200, text: JSON.stringify(asyncApiDocument(allMessages, version)) };
  const documents = [
    ['/openapi.json', openApi],
    [`${apiPrefix}/openapi.json`, openApi],
    ['/asyncapi.json', asyncApi],
  ] as const;
  return new Map([...documents, ...pages]);
}
