import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';

export type WebhookReceiver = { readonly port: number; readonly stop: () => void };

type Options = {
  /** By default any free port. */
  readonly port?: number;
  /** Takes the webhook; one that it rejects is refused with 400. */
  readonly take?: (body: string, headers: IncomingHttpHeaders) => Promise<void>;
  /** What it says about a webhook that it takes. */
  readonly answer?: string;
};

/** A webhook endpoint of a marketplace on this machine. */
export async function startWebhookReceiver(options: Options = {}): Promise<WebhookReceiver> {
  const { port = 0, take = () => Promise.resolve(), answer } = options;
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      take(Buffer.concat(chunks).toString(), request.headers).then(
        () => (answer === undefined ? response.writeHead(204).end() : response.writeHead(200).end(answer)),
        () => response.writeHead(400).end(),
      );
    });
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
