import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import type { Middleware } from '@holdfast/http/server';

/** A page or document as it is sent: compressed once, and with a tag by which browsers revalidate their copies. */
export type Content = { readonly text: string; readonly gzipped: Buffer; readonly etag: string };

export function compress(text: string): Content {
  const etag = `W/"${createHash('sha256').update(text).digest('base64url')}"`;
  return { text, gzipped: gzipSync(text), etag };
}

export const pageHeaders: Middleware = (_request, response, next) => {
  response.locals.pageLabel = 'reference';
  response.set('Cache-Control', 'no-cache').vary('Accept-Encoding');
  next();
};

type Request = Parameters<Middleware>[0];
type Response = Parameters<Middleware>[1];

export function sendContent(request: Request, response: Response, type: string, { text, gzipped, etag }: Content): void {
  response.set({ 'Content-Type': `${type}; charset=utf-8`, ETag: etag });
  if (request.acceptsEncodings('gzip') === 'gzip') response.set('Content-Encoding', 'gzip').send(gzipped);
  else response.send(text);
}
