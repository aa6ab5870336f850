import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { isSandbox, createProviderStates } from './provider-states.js';

let status = 200;
let server: Server;
let url: string;

beforeAll(async () => {
  server = createServer((_request, response) => response.writeHead(status).end('ok'));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await once(server, 'close');
});

const closedUrl = 'http://127.0.0.1:1';
const runOf = ({ job }: ReturnType<typeof createProviderStates>): Promise<unknown> =>
  Promise.resolve(job.run(AbortSignal.timeout(10_000)));

it('returns the health of both providers after the first probe', async () => {
  const { states } = createProviderStates({ escrowProvider: url, ledgerNetwork: closedUrl });
  expect(await states()).toEqual({
    escrowProvider: { kind: 'sandbox', health: { status: 'healthy', latencyMs: expect.any(Number) as number } },
    ledgerNetwork: {
      kind: 'sandbox',
      health: { status: 'unhealthy', latencyMs: expect.any(Number) as number, error: 'it is not ready' },
    },
  });
});

it.each([
  [404, 'healthy'],
  [401, 'healthy'],
  [503, 'unhealthy'],
])('a response with status %i means that the provider is %s', async (responds, expected) => {
  status = 200;
  const known = createProviderStates({ escrowProvider: url, ledgerNetwork: url });
  expect((await known.states()).escrowProvider.health.status).toBe('healthy');
  status = responds;
  await runOf(known);
  expect((await known.states()).escrowProvider.health.status).toBe(expected);
});

it('treats a plain http URL as the sandbox', () => {
  expect([isSandbox(url), isSandbox('https://horizon.example')]).toEqual([true, false]);
});
