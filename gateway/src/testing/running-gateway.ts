import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { callerHeader, callerSigner } from '@holdfast/shared/caller';
import { systemClock } from '@holdfast/shared/context';
import { route, type RouteDeclaration } from '@holdfast/shared/contracts/http';
import { createMetrics } from '@holdfast/shared/observability';
import { collectingLog } from '@holdfast/shared/testing/log';
import { z } from 'zod';
import { startGateway, type GatewayOptions } from '../index.js';

export const masterKey = 'm'.repeat(40);
const internalSecret = 'i'.repeat(40);
const nothing = z.strictObject({});

function aRoute(overrides: Partial<RouteDeclaration> = {}): RouteDeclaration {
  return route({
    name: 'creditBalance', method: 'post', path: '/users/{userId}/credit', service: 'ledger-balance', summary: 'Credit', auth: 'write',
    idempotent: true, family: 'plain', params: nothing, malformedParams: 'USER_NOT_FOUND', query: nothing, body: nothing,
    success: { status: 200, data: nothing }, errors: [], ...overrides,
  });
} // prettier-ignore

const routes = [
  aRoute(),
  aRoute({ name: 'getBalance', method: 'get', path: '/users/{userId}/balance', auth: 'read' }),
  aRoute({ name: 'getConfig', method: 'get', path: '/config', auth: 'public' }),
  aRoute({ name: 'listOrders', method: 'get', path: '/orders', auth: 'read', service: 'orders' }),
];

export type Heard = Pick<IncomingMessage, 'method' | 'url' | 'headers' | 'rawHeaders'> & { readonly body: string };

/** A service that remembers what it was asked, and answers as the test wants. */
export async function aService(wantedPort = 0) {
  const heard: Heard[] = [];
  const state: { behave: RequestListener } = {
    behave: (_request, response) =>
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"data":"from the service"}'),
  };
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { method, url, headers, rawHeaders } = request;
      heard.push({ method, url, headers, rawHeaders, body: Buffer.concat(chunks).toString() });
      state.behave(request, response);
    });
  });
  server.listen(wantedPort, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const stop = async (): Promise<void> => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  };
  return { heard, state, url: `http://127.0.0.1:${port}`, port, stop };
}

export async function aGateway(options: Partial<GatewayOptions> = {}) {
  const log = collectingLog();
  const clock = systemClock();
  const metrics = createMetrics({ service: 'gateway', processMetrics: false });
  const shared = {
    host: '127.0.0.1',
    port: 0,
    masterKey,
    internalSecret,
    proxyTimeoutMs: 500,
    version: '1.2.3',
    log,
    metrics,
    clock,
    routes,
  };
  const gateway = await startGateway({ ...shared, serviceUrls: {}, ...options });
  const ask = async (path: string, init: RequestInit = {}) => {
    const headers = new Headers(init.headers);
    if (!headers.has('authorization')) headers.set('authorization', `Bearer ${masterKey}`);
    const response = await fetch(`${gateway.url}${path}`, { ...init, headers });
    const text = await response.text();
    return { status: response.status, headers: response.headers, text, body: JSON.parse(text === '' ? 'null' : text) };
  };
  const signer = callerSigner({ secret: internalSecret, clock });
  const callerOf = ({ headers }: Heard) => signer.verify(headers[callerHeader] as string | undefined, 'ledger-balance').caller;
  return { ...gateway, log, ask, callerOf };
}

export function sendRaw(port: number, text: string): Promise<string> {
  return new Promise((resolve) => {
    let received = '';
    const socket = connect(port, '127.0.0.1', () => socket.write(text));
    socket.on('data', (chunk) => (received += chunk.toString()));
    socket.on('close', () => resolve(received));
  });
}
