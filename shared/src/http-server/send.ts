import type { ServerResponse } from 'node:http';
import type { Answer } from './envelopes.js';
import type { ServedRequest, ServedResponse } from './served.js';

const json = 'application/json; charset=utf-8';

type Sending = {
  readonly request: ServedRequest;
  readonly response: ServedResponse;
  readonly requestId: string;
  readonly isLast: boolean;
};

/** Writes an answer in one piece. `isLast` asks the other side to open a new connection for its next request. */
export function send({ request, response, requestId, isLast }: Sending, answer: Answer): void {
  if (response.headersSent || response.destroyed) return;
  if (answer.open !== undefined) {
    openStream(response, requestId, answer);
    return;
  }
  const { status, text, contentType = json, headers } = answer;
  const lines = ['Content-Type', contentType, 'Content-Length', String(Buffer.byteLength(text)), 'X-Request-ID', requestId];
  if (headers !== undefined) lines.push(...headers);
  // What is left of a body that was given up on would be taken for the next request.
  if (isLast || !request.complete) lines.push('Connection', 'close');
  response.writeHead(status, lines);
  response.end(text);
}

/** Ends with its connection, so that what is written goes out as it is: the same bytes serve many readers. */
function openStream(response: ServerResponse, requestId: string, { status, contentType = json, headers, open }: Answer): void {
  response.useChunkedEncodingByDefault = false;
  response.writeHead(status, ['Content-Type', contentType, 'X-Request-ID', requestId, ...(headers ?? []), 'Connection', 'close']);
  response.flushHeaders();
  open?.(response);
}
