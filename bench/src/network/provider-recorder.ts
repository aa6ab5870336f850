import { createServer, type IncomingMessage } from 'node:http';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { z } from 'zod';

/** One call of the platform to the escrow provider; times are unix milliseconds. */
export type ProviderCall = {
  readonly route: string;
  /** The order of a deployment, the contract of a later call, the transaction that the indexer is informed of. */
  readonly subject: string | undefined;
  readonly status: number;
  readonly startedAt: number;
  readonly endedAt: number;
};

export type ProviderRecorder = {
  readonly url: string;
  readonly calls: () => readonly ProviderCall[];
  readonly close: () => Promise<void>;
};

const subjects = z.object({
  engagementId: z.string().optional(),
  contractId: z.string().optional(),
  txHash: z.string().optional(),
});

/** Stands between the platform and the provider, passes every call on unchanged, and remembers it. */
export async function startProviderRecorder(providerUrl: string, now: () => number): Promise<ProviderRecorder> {
  const calls: ProviderCall[] = [];
  const server = createServer((request, response) => {
    const pass = async (): Promise<void> => {
      const startedAt = now();
      const body = await text(request);
      const passed = await fetch(`${providerUrl}${request.url ?? ''}`, {
        method: request.method ?? 'GET',
        headers: headersOf(request),
        ...(body === '' ? {} : { body }),
      });
      const responded = await passed.text();
      response.writeHead(passed.status, { 'content-type': passed.headers.get('content-type') ?? 'application/json' });
      response.end(responded);
      // Probes without a key count for no budget.
      if (request.headers['x-api-key'] === undefined) return;
      calls.push({ ...requestOf(request, body), status: passed.status, startedAt, endedAt: now() });
    };
    // A caller that gets no response takes it for an outage of the provider, as it should.
    pass().catch(() => response.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the recorder has no port');
  return {
    url: `http://127.0.0.1:${address.port.toString()}`,
    calls: () => calls,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

function headersOf({ headers }: IncomingMessage): Record<string, string> {
  const kept = ['x-api-key', 'content-type'] as const;
  return Object.fromEntries(kept.flatMap((name) => (typeof headers[name] === 'string' ? [[name, headers[name]]] : [])));
}

function requestOf({ method = '', url = '' }: IncomingMessage, body: string): Pick<ProviderCall, 'route' | 'subject'> {
  const { engagementId, contractId, txHash } = body === '' ? {} : subjects.parse(JSON.parse(body));
  return { route: `${method} ${url.split('?')[0] ?? ''}`, subject: engagementId ?? contractId ?? txHash };
}
