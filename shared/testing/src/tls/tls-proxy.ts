import { once } from 'node:events';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { createServer } from 'node:tls';
import { closeTogether } from '../tcp-proxy/index.js';
import type { Certificate } from './self-signed-certificate.js';

/** Serves TLS in front of a server that has none. */
export type TlsProxy = { readonly port: number; readonly close: () => Promise<void> };

export async function startTlsProxy(targetUrl: string, { cert, key }: Pick<Certificate, 'cert' | 'key'>): Promise<TlsProxy> {
  const target = new URL(targetUrl);
  const sockets = new Set<Socket>();
  const server = createServer({ cert, key }, (client) => {
    const upstream = connect({ host: target.hostname, port: Number(target.port), noDelay: true });
    closeTogether(sockets, client, upstream);
    client.pipe(upstream).pipe(client);
  });
  server.on('tlsClientError', () => undefined); // a client that does not trust the certificate
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const close = async (): Promise<void> => {
    for (const socket of sockets) socket.destroy();
    server.close();
    await once(server, 'close');
  };
  return { port, close };
}
