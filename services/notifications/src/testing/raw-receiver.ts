import { once } from 'node:events';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer, type TlsOptions } from 'node:tls';

/** A receiver of webhooks that writes bytes instead of HTTP responses, so that it can break every rule. */
export type RawReceiver = {
  readonly port: number;
  /** All requests as they arrived. */
  readonly requests: readonly string[];
  readonly connections: () => number;
  readonly openConnections: () => number;
  readonly close: () => Promise<void>;
};

export type RawBehaviour = {
  /** Called with each whole request. */
  readonly onRequest?: (socket: Socket, request: string) => void;
  readonly onConnection?: (socket: Socket) => void;
  readonly tls?: TlsOptions;
};

export async function startRawReceiver({ onRequest, onConnection, tls }: RawBehaviour): Promise<RawReceiver> {
  const requests: string[] = [];
  const open = new Set<Socket>();
  let connections = 0;
  const serve = (socket: Socket): void => {
    connections += 1;
    open.add(socket);
    socket.on('error', () => undefined); // followed by `close`
    socket.on('close', () => open.delete(socket));
    onConnection?.(socket);
    let received = '';
    socket.on('data', (bytes) => {
      received += bytes.toString();
      if (!isWhole(received)) return;
      requests.push(received);
      onRequest?.(socket, received);
      received = '';
    });
  };
  const server: Server = tls === undefined ? createServer(serve) : createTlsServer(tls, serve);
  server.on('tlsClientError', () => undefined); // a client that refuses the certificate
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const close = async (): Promise<void> => {
    for (const socket of open) socket.destroy();
    server.close();
    await once(server, 'close');
  };
  return { port, requests, connections: () => connections, openConnections: () => open.size, close };
}

function isWhole(request: string): boolean {
  const [head = '', body] = request.split('\r\n\r\n');
  const length = /^content-length: (\d+)$/im.exec(head)?.[1];
  return body !== undefined && Buffer.byteLength(body) >= Number(length ?? 0);
}
