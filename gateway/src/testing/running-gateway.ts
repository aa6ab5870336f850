import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import { connect } from 'node:net';
import { z } from 'zod';
import type { Notification } from '@holdfast/messaging/broker';
import { callerHeader, callerSigner } from '@holdfast/http/caller';
import { systemClock } from '@holdfast/kernel/context';
import { getEmergencyStop, platformRoutes, route, type RouteDeclaration } from '@holdfast/contracts/http';
import { createMetrics } from '@holdfast/observability';
import { collectingLog } from '@holdfast/testing/log';
import { freePort } from '@holdfast/testing/servers';
import { serveGateway, type GatewayOptions, type GatewayStores } from '../gateway.js';
import { memoryRecords } from './memory-records.js';

export const masterKey = 'm'.repeat(40);
const internalSecret = 'i'.repeat(40);
const emptyObject = z.strictObject({});

function aRoute(overrides: Partial<RouteDeclaration> = {}): RouteDeclaration {
  return route({
    name: 'creditBalance', method: 'post', path: '/users/{userId}/credit', service: 'ledger-balance', summary: 'Credit', auth: 'write',
    idempotent: true, family: 'plain', params: emptyObject, malformedParams: 'USER_NOT_FOUND', query: emptyObject,
    body: emptyObject, success: { status: 200, data: emptyObject }, errors: [], ...overrides,
  });
} // prettier-ignore

const routes = [
  aRoute(),
  aRoute({ name: 'getBalance', method: 'get', path: '/users/{userId}/balance', auth: 'read' }),
  aRoute({ name: 'topupCallback', method: 'get', path: '/topups/{id}/callback', auth: 'public' }),
  aRoute({ name: 'listOrders', method: 'get', path: '/orders', auth: 'read', service: 'orders' }),
  aRoute({ name: 'createOrder', path: '/orders', service: 'ledger-balance', idempotent: false }),
  ...Object.values(platformRoutes),
];

export type ReceivedRequest = Pick<IncomingMessage, 'method' | 'url' | 'headers' | 'rawHeaders'> & { readonly body: string };

/** A stub service that records the requests it receives. Tests replace `state.behave` to change its responses. */
export async function aService(wantedPort?: number) {
  const received: ReceivedRequest[] = [];
  const state: { behave: RequestListener; isReady: boolean } = {
    isReady: true,
    behave: (_request, response) =>
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"data":"from the service"}'),
  };
  const server = createServer((request, response) => {
    if (request.url === '/api/v1/internal/readiness') return void response.writeHead(state.isReady ? 200 : 503).end();
    // The gateway polls it in the background, at times that no test knows.
    if (request.url?.endsWith(getEmergencyStop.path) === true) return void response.writeHead(503).end();
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { method, url, headers, rawHeaders } = request;
      received.push({ method, url, headers, rawHeaders, body: Buffer.concat(chunks).toString() });
      state.behave(request, response);
    });
  });
  // A test may start it again with the same port, so no other process may get that meanwhile.
  const port = wantedPort ?? (await freePort());
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const stop = async (): Promise<void> => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  };
  return { received, state, url: `http://127.0.0.1:${port}`, port, stop };
}

const admission = {
  rateLimitMax: 0,
  rateLimitWindowSeconds: 60,
  rateLimitStore: 'memory',
  rateLimitRoutes: '',
  eventStreamsMax: 0,
  eventStreamsTotalMax: 20_000,
  topupAmountMin: '1.00',
  topupAmountMax: '10000.00',
  withdrawalAmountMin: '1.00',
  withdrawalAmountMax: '5000.00',
  orderAmountMin: '1.00',
  orderAmountMax: '50000.00',
  escrowCurrencies: ['USD', 'USDC', 'XLM'],
  operatorRoutes: 'off',
  trustedProxyHops: 0,
  corsOrigins: '',
  console: 'on',
} as const;

/** Delivers notifications between the gateways that share it. */
export function aBroker() {
  const listeners = new Set<(notification: Notification) => void>();
  return {
    isHealthy: () => true,
    broadcast: (notification: Notification) => listeners.forEach((listener) => listener(notification)),
    onNotification: (topics: readonly string[], handler: (notification: Notification) => void) => {
      const listener = (notification: Notification): void => {
        if (topics.includes(notification.topic)) handler(notification);
      };
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

export function memoryStores(): GatewayStores {
  return {
    records: memoryRecords(),
    windows: (local) => local,
    ping: async () => undefined,
    jobs: [],
  };
}

export async function aGateway(options: Partial<GatewayOptions> = {}, stores = memoryStores()) {
  const log = collectingLog();
  const clock = options.clock ?? systemClock();
  const metrics = createMetrics({ service: 'gateway', processMetrics: false });
  const shared = {
    ...admission,
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
    broker: aBroker(),
  };
  const gateway = await serveGateway({ ...shared, serviceUrls: {}, ...options }, stores);
  const send = async (path: string, init: RequestInit = {}) => {
    const headers = new Headers(init.headers);
    if (!headers.has('authorization')) headers.set('authorization', `Bearer ${masterKey}`);
    const response = await fetch(`${gateway.url}${path}`, { ...init, headers });
    const text = await response.text();
    return { status: response.status, headers: response.headers, text, body: JSON.parse(text === '' ? 'null' : text) };
  };
  const signer = callerSigner({ secret: internalSecret, clock });
  const verifiedOf = ({ headers }: ReceivedRequest) =>
    signer.verify(headers[callerHeader] as string | undefined, 'ledger-balance');
  const callerOf = (request: ReceivedRequest) => verifiedOf(request).caller;
  return { ...gateway, log, metrics, send, callerOf, verifiedOf };
}

export function sendRaw(port: number, text: string): Promise<string> {
  return new Promise((resolve) => {
    let received = '';
    const socket = connect(port, '127.0.0.1', () => socket.write(text));
    socket.on('data', (chunk) => (received += chunk.toString()));
    socket.on('close', () => resolve(received));
  });
}
