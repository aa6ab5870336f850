import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { closeTogether, proxiedUrl } from '../tcp-proxy/index.js';

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
    closeTogether(sockets, client, upstream);
    client.pipe(upstream);
    upstream.pipe(client);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const cut = (): void => {
    isCut = true;
    for (const socket of sockets) socket.destroy();
  };
  return {
    url: proxiedUrl(target, server.address()),
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
