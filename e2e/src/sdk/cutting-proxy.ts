import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/** Where the connection of a request is cut: before the platform gets it, or after the platform has carried it out. */
type Cut = 'before' | 'after' | 'never';

export type CuttingProxy = {
  readonly url: string;
  /** How many connections were cut. */
  readonly cuts: () => number;
  readonly close: () => void;
};

/**
 * A proxy before the platform that cuts the connection of the first request of every call, before and after its effect in turn. The
 * requests of a call have one id. Streams of events are cut after some chunks, always.
 */
export async function startCuttingProxy(platformUrl: string): Promise<CuttingProxy> {
  const seen = new Set<unknown>();
  let cuts = 0;
  const server = createServer((request, response) => {
    const requestId = request.headers['x-request-id'];
    const cut = cutOf({ isRepeat: seen.has(requestId), calls: seen.size });
    seen.add(requestId);
    const dropped = (): void => {
      cuts += 1;
      request.socket.destroy();
    };
    forward(platformUrl, { request, response, cut, dropped }).catch(() => request.socket.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    cuts: () => cuts,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

function cutOf({ isRepeat, calls }: { readonly isRepeat: boolean; readonly calls: number }): Cut {
  if (isRepeat) return 'never';
  return calls % 2 === 0 ? 'after' : 'before';
}

type Proxied = {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly cut: Cut;
  readonly dropped: () => void;
};

async function forward(platformUrl: string, { request, response, cut, dropped }: Proxied): Promise<void> {
  const { method = 'GET', url = '/', headers } = request;
  const body = await buffer(request);
  const isStream = request.headers.accept === 'text/event-stream';
  if (cut === 'before' && !isStream) {
    dropped();
    return;
  }
  const { connection: _connection, host: _host, 'content-length': _length, ...rest } = headers;
  const fetched = await fetch(`${platformUrl}${url}`, {
    method,
    headers: rest as Record<string, string>,
    ...(body.length === 0 ? {} : { body }),
  });
  if (isStream) return forwardStream(fetched, response, dropped);
  const text = await fetched.text();
  if (cut === 'after') dropped();
  else response.writeHead(fetched.status, shownHeaders(fetched)).end(text);
}

async function forwardStream(fetched: Response, response: ServerResponse, dropped: () => void): Promise<void> {
  response.writeHead(fetched.status, shownHeaders(fetched));
  response.flushHeaders();
  let chunks = 0;
  for await (const chunk of fetched.body as unknown as AsyncIterable<Uint8Array>) {
    chunks += 1;
    response.write(chunk);
    if (chunks < 3) continue;
    dropped();
    return;
  }
  response.end();
}

function shownHeaders({ headers }: Response): Record<string, string> {
  const names = ['content-type', 'x-request-id', 'retry-after'];
  return Object.fromEntries(names.flatMap((name) => (headers.get(name) === null ? [] : [[name, headers.get(name) ?? '']])));
}
