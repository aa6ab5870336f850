import { createServer, type IncomingMessage } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';

export type ProxiedResponse = { readonly status: number; readonly body: unknown };

/** Changes a response of the provider. */
export type Change = (request: { readonly method: string; readonly path: string }, response: ProxiedResponse) => ProxiedResponse;

/** A payment provider that lies: the sandbox behind a server that may change its responses. */
export type ProviderProxy = {
  readonly url: string;
  readonly setTarget: (url: string) => void;
  /** Undefined passes the responses on. */
  readonly setChange: (change: Change | undefined) => void;
  /** Method and path of each request. */
  readonly requests: readonly string[];
  readonly stop: () => Promise<void>;
};

export async function startProviderProxy(): Promise<ProviderProxy> {
  const state = { target: '', change: undefined as Change | undefined };
  const requests: string[] = [];
  const respond = async (request: IncomingMessage): Promise<ProxiedResponse> => {
    const { method = 'GET', url: path = '/' } = request;
    requests.push(`${method} ${path}`);
    const given = await forward(state.target, request);
    return state.change === undefined ? given : state.change({ method, path }, given);
  };
  const server = createServer((request, response) => {
    respond(request).then(
      ({ status, body }) => response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body)),
      () => response.destroy(),
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    setTarget: (url) => void (state.target = url),
    setChange: (change) => void (state.change = change),
    requests,
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

async function forward(target: string, request: IncomingMessage): Promise<ProxiedResponse> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const { authorization = '' } = request.headers;
  const response = await fetch(`${target}${request.url ?? ''}`, {
    method: request.method ?? 'GET',
    headers: { authorization, 'content-type': 'application/json' },
    ...(chunks.length === 0 ? {} : { body: Buffer.concat(chunks) }),
  });
  return { status: response.status, body: await response.json() };
}
