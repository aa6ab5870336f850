import type { Log } from '@holdfast/shared/context';
import { AppError } from '@holdfast/shared/errors';
import {
  SenderLeftError,
  readBody,
  startServing,
  type Listener,
  type ServedRequest,
  type ServedResponse,
} from '@holdfast/shared/http-server';
import { routeFinder } from './find-route.js';
import type { Reply, Route } from './route.js';

export type WebOptions = {
  readonly host: string;
  readonly port: number;
  readonly log: Log;
  readonly routes: readonly Route[];
  /** Awaited before every answer. */
  readonly durable: () => Promise<void>;
};

const drainTimeoutMs = 1_000;

/** Serves the routes. No answer leaves before everything it could have seen is durable. */
export function startWeb({ host, port, log, routes, durable }: WebOptions): Promise<Listener> {
  const find = routeFinder(routes);

  const answer = async (request: ServedRequest, response: ServedResponse): Promise<Reply> => {
    const url = request.url ?? '/';
    const mark = url.indexOf('?');
    const path = withoutTrailingSlash(mark === -1 ? url : url.slice(0, mark));
    const found = find(request.method ?? 'GET', path);
    const body = await readBody(request);
    if (found === undefined) return { status: 404, json: { message: 'Not found' } };
    const query = new URLSearchParams(mark === -1 ? '' : url.slice(mark + 1));
    const { headers } = request;
    const reply = await found.route.answer({ headers, path, params: found.params, query, body, left: () => leaving(response) });
    await durable();
    return reply;
  };

  const serve = async (request: ServedRequest, response: ServedResponse): Promise<void> => {
    try {
      send(request, response, await answer(request, response));
    } catch (error) {
      if (error instanceof SenderLeftError) return;
      if (!(error instanceof AppError)) log.error({ path: request.url, error }, 'request failed');
      send(request, response, failureReply(error));
    }
  };
  return startServing({ host, port, drainTimeoutMs, log, serve, isStream: () => false });
}

/** A body that is too large or too slow is its sender's fault; anything else is ours. */
function failureReply(error: unknown): Reply {
  if (!(error instanceof AppError)) return { status: 500, json: { message: 'The sandbox has failed' } };
  return { status: error.code === 'PAYLOAD_TOO_LARGE' ? 413 : 400, json: { message: error.message } };
}

function leaving(response: ServedResponse): AbortSignal {
  const left = new AbortController();
  response.once('close', () => left.abort());
  if (response.destroyed) left.abort();
  return left.signal;
}

function withoutTrailingSlash(path: string): string {
  return path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path;
}

function send(request: ServedRequest, response: ServedResponse, reply: Reply): void {
  if (response.headersSent || response.destroyed) return;
  const { status, json, text, contentType = 'application/json', headers } = reply;
  const content = text ?? (json === undefined ? '' : JSON.stringify(json));
  const lines = headers === undefined ? [] : Object.entries(headers).flat();
  if (content !== '') lines.push('Content-Type', contentType);
  if (status !== 204) lines.push('Content-Length', String(Buffer.byteLength(content)));
  // What is left of a body that was given up on would be taken for the next request.
  if (!request.complete) lines.push('Connection', 'close');
  response.writeHead(status, lines);
  response.end(content);
}
