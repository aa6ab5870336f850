import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

/** A TCP proxy that can drop its connections, as if the server behind it were lost. */
export type CuttingProxy = {
  readonly url: string;
  /** Closes every connection and refuses new ones until `mend`. */
  readonly cut: () => void;
  readonly mend: () => void;
  /** Stops forwarding on open connections without closing them, as if the server hung. */
  readonly freeze: () => void;
  readonly close: () => Promise<void>;
};

export async function startCuttingProxy(targetUrl: string): Promise<CuttingProxy> {
  const target = new URL(targetUrl);
  const sockets = new Set<Socket>();
  let isCut = false;
  const server = createServer((client) => {
    if (isCut) {
      client.destroy();
      return;
    }
    const upstream = connect({ host: target.hostname, port: Number(target.port === '' ? 5_672 : target.port), noDelay: true });
    client.setNoDelay(true);
    join(client, upstream, sockets);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const cut = (): void => {
    isCut = true;
    for (const socket of sockets) socket.destroy();
  };
  return {
    url: withPort(target, server.address()),
    cut,
    mend: () => {
      isCut = false;
    },
    freeze: () => {
      for (const socket of sockets) socket.unpipe();
    },
    close: async () => {
      cut();
      server.close();
      await once(server, 'close');
    },
  };
}

function join(client: Socket, upstream: Socket, sockets: Set<Socket>): void {
  for (const [one, other] of [
    [client, upstream],
    [upstream, client],
  ] as const) {
    sockets.add(one);
    one.on('error', () => undefined); // an error is followed by `close`
    one.on('close', () => {
      sockets.delete(one);
      other.destroy();
    });
    one.pipe(other);
  }
}

function withPort(target: URL, address: ReturnType<ReturnType<typeof createServer>['address']>): string {
  if (address === null || typeof address === 'string') throw new Error('The proxy has no port.');
  const url = new URL(target);
  url.hostname = '127.0.0.1';
  url.port = address.port.toString();
  return url.href;
}
