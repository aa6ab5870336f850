import type { Response } from 'express';
import type { PreparedResponse } from './envelopes.js';

const json = 'application/json; charset=utf-8';

/** Sends a prepared response, or opens its stream. */
export function send(response: Response, { status, text, contentType = json, headers = {}, open }: PreparedResponse): void {
  if (response.headersSent || response.destroyed) return;
  response.status(status).set({ ...headers, 'Content-Type': contentType });
  if (open === undefined) response.end(text);
  else openStream(response, open);
}

/** A stream is not chunked and ends with its connection, so that the same bytes can be written to many clients. */
function openStream(response: Response, open: NonNullable<PreparedResponse['open']>): void {
  response.set('Connection', 'close').removeHeader('Transfer-Encoding');
  response.flushHeaders();
  if (response.req.method === 'HEAD') response.end();
  else open(response);
}
