import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { z } from 'zod';
import { openRpc, type RpcClient } from './rpc-client.js';

const networkPassphrase = 'a network of the tests';
const health = { method: 'getHealth', params: { any: 'thing' }, result: z.object({ latestLedger: z.number() }) };

let server: Server;
let behave: RequestListener;
let client: RpcClient;
let received: { readonly url: string | undefined; readonly body: unknown }[];

/** The first call of a client asks for its network. */
async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = await json(request);
  received.push({ url: request.url, body });
  if ((body as { readonly method: string }).method !== 'getNetwork') behave(request, response);
  else response.end(JSON.stringify({ jsonrpc: '2.0', id: 1, result: { passphrase: networkPassphrase } }));
}

beforeEach(async () => {
  received = [];
  server = createServer((request, response) => {
    respond(request, response).catch(() => response.destroy());
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  client = clientAt('/rpc');
});

afterEach(async () => {
  await client.close();
  server.closeAllConnections();
  server.close();
});

function clientAt(path: string): RpcClient {
  const { port } = server.address() as AddressInfo;
  return openRpc({ url: `http://127.0.0.1:${port}${path}`, networkPassphrase });
}

const responding = (body: unknown): RequestListener => (_request, response) => response.end(JSON.stringify(body)); // prettier-ignore

describe('a call of a node', () => {
  it('sends method and parameters, and parses the result', async () => {
    behave = responding({ jsonrpc: '2.0', id: 1, result: { latestLedger: 7, more: true } });
    expect(await client.call(health)).toEqual({ latestLedger: 7 });
    expect(received.map(({ url }) => url)).toEqual(['/rpc', '/rpc']);
    expect(received[1]?.body).toEqual({ jsonrpc: '2.0', id: 1, method: 'getHealth', params: { any: 'thing' } });
  });

  it.each(['/', '/v1/rpc/', '/rpc?key=1'])('keeps the path and the query of its URL: %s', async (path) => {
    behave = responding({ jsonrpc: '2.0', id: 1, result: { latestLedger: 7 } });
    const other = clientAt(path);
    await other.call(health);
    await other.close();
    expect(received.map(({ url }) => url)).toEqual([path, path]);
  });

  it.each([
    ['an error of the node', responding({ jsonrpc: '2.0', id: 1, error: { code: -32_603, message: 'internal error' } })],
    ['a result of another form', responding({ jsonrpc: '2.0', id: 1, result: { latestLedger: '7' } })],
    ['no result', responding({ jsonrpc: '2.0', id: 1 })],
    ['no JSON', (_request, response) => response.end('<html>')],
    ['the status 500', (_request, response) => response.writeHead(500).end('Internal Server Error')],
    ['the status 429', (_request, response) => response.writeHead(429).end('Too Many Requests')],
    ['a redirect, which is not followed', (_request, response) => response.writeHead(307, { location: '/rpc' }).end()],
    ['a closed connection', (request) => request.socket.destroy()],
  ] satisfies readonly (readonly [string, RequestListener])[])('is unavailable after %s', async (_, listener) => {
    behave = listener;
    const unavailable = { code: 'SERVICE_UNAVAILABLE', details: { dependency: 'ledgerNetwork' } };
    await expect(client.call(health)).rejects.toMatchObject(unavailable);
    expect(received).toHaveLength(2);
  });
});
