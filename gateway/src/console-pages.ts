import { randomBytes } from 'node:crypto';
import type { Router } from 'express';
import { onceDone } from '@holdfast/kernel/async';
import { createRouter, rawBody, type Middleware } from '@holdfast/http/server';
import { readConsoleFiles, type ConsoleFiles } from './console-files.js';
import { exchangeCode, requireOwnPage, type ConsoleSignIn } from './console-session.js';
import { consoleContentSecurityPolicy } from './helmet-options.js';

export type ConsolePages = {
  /** Where the built console is. */
  readonly folder: string;
  /** Without it the page asks for an API key only, and the exchange of codes is 404. */
  readonly signIn: ConsoleSignIn | undefined;
};

/** The console and its pages: words and ids. Neither a file nor a path with dots is one. */
const pagePath = /^\/console(\/[\w-]+)*\/?$/;
const nonceBytes = 16;
const sessionBodyLimits = { bytesMax: 1_024, drainBytesMax: 1_024 * 1_024, timeoutMs: 10_000 };

/** Serves the console at /console; its router is empty where the console is switched off. Whatever it does not know is 404 later. */
export function consolePages(pages: ConsolePages | undefined): Router {
  const router = createRouter();
  if (pages === undefined) return router;
  const { folder, signIn } = pages;
  const files = onceDone(() => readConsoleFiles(folder));
  router.use('/console', label);
  if (signIn !== undefined) router.post('/console/session', requireOwnPage, rawBody(sessionBodyLimits), exchangeCode(signIn));
  router.get('/console/assets/:name', sendAsset(files));
  router.get(pagePath, sendPage(files));
  return router;
}

type ReadFiles = () => Promise<ConsoleFiles | undefined>;

const label: Middleware = (_request, response, next) => {
  response.locals.pageLabel = 'console';
  next();
};

/** Each response has its own nonce, and keeps the `no-store` of all responses. */
function sendPage(files: ReadFiles): Middleware {
  return async (_request, response, next) => {
    const built = await files();
    if (built === undefined) {
      next();
      return;
    }
    const nonce = randomBytes(nonceBytes).toString('base64');
    response.set('Content-Security-Policy', consoleContentSecurityPolicy(nonce)).type('html').send(built.pageFor(nonce));
  };
}

/** A browser may keep an asset for ever: another content has another name. */
function sendAsset(files: ReadFiles): Middleware {
  return async (request, response, next) => {
    const asset = (await files())?.assets.get(request.params['name'] ?? '');
    if (asset === undefined) {
      next('router');
      return;
    }
    const { contentType, content, gzipped } = asset;
    response.set({ 'Content-Type': contentType, 'Cache-Control': 'public, max-age=31536000, immutable' }).vary('Accept-Encoding');
    if (gzipped !== undefined && request.acceptsEncodings('gzip') === 'gzip')
      response.set('Content-Encoding', 'gzip').send(gzipped);
    else response.send(content);
  };
}
