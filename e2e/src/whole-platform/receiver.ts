import { once } from 'node:events';
import { createServer } from 'node:http';

export type Receiver = { readonly port: number; readonly close: () => void };

/** A webhook endpoint of a marketplace on this machine. */
export async function startReceiver(onBody: (body: string) => void = () => undefined): Promise<Receiver> {
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      onBody(body);
      response.writeHead(204).end();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
