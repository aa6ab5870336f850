import type { Response } from 'express';
import { setHeaders } from './forwarded-headers.js';
import type { StoredResponse } from './sealed-response.js';

/** Sends the whole response of a service to the client. */
export function sendStored(response: Response, { status, headers, body }: StoredResponse): void {
  if (response.destroyed) return;
  setHeaders(response, headers);
  response.status(status).end(body);
}
