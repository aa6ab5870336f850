import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { PaymentProvider } from '../../use-cases/provider-ports.js';
import { createPaymentProvider } from '../payment-provider.js';

/** The client of a payment provider whose responses the test chooses. */
export type OddProvider = {
  readonly provider: PaymentProvider;
  readonly server: Server;
  readonly respond: (status: number, body: unknown) => void;
  /** The paths of the requests so far. */
  readonly paths: readonly string[];
  readonly breakerStates: readonly string[];
  readonly close: () => Promise<void>;
};

export async function anOddProvider(): Promise<OddProvider> {
  const [paths, breakerStates]: [string[], string[]] = [[], []];
  let response = { status: 200, body: '' };
  const server = createServer((request, res) => {
    paths.push(request.url ?? '');
    res.writeHead(response.status, { 'content-type': 'application/json' }).end(response.body);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const provider = createPaymentProvider({
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/api`,
    key: 'key',
    secret: 'secret',
    budget: { take: () => Promise.resolve(), empty: () => Promise.resolve() },
    measurement: { call: (_operation, call) => call(), onBreakerChange: (state) => void breakerStates.push(state) },
    timeoutMs: 10_000,
    breakerResetMs: 100,
    readRetryMs: 1,
  });
  return {
    provider,
    server,
    respond: (status, body) => {
      response = { status, body: typeof body === 'string' ? body : JSON.stringify(body) };
    },
    paths,
    breakerStates,
    close: async () => {
      await provider.close();
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
