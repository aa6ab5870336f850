import { once } from 'node:events';
import { createServer } from 'node:http';
import { verify } from '@holdfast/sdk';

export type Received = { readonly eventId: string; readonly eventType: string; readonly occurredAt: string };

/** A receiver that verifies each event as a marketplace does. */
export async function startWebhookReceiver(port: number, secret: string) {
  const received: Received[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      verify(Buffer.concat(chunks).toString(), request.headers, secret).then(
        (event) => {
          received.push(event);
          response.writeHead(204).end();
        },
        () => response.writeHead(400).end(),
      );
    });
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const stop = (): void => {
    server.closeAllConnections();
    server.close();
  };
  return { received, stop };
}
