import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

/** What becomes of the next COMMITs that pass, or of the next BEGINs. */
export type CommitFault = 'none' | 'lose-request' | 'lose-response' | 'garble-response' | 'refuse-begin';

/** A way to Postgres on which the response to a COMMIT can be lost or garbled, whether or not the server has committed. */
export type CommitProxy = {
  readonly url: string;
  /** Strikes COMMITs; or, where it is named, a statement that is a transaction of its own. */
  readonly setFault: (fault: CommitFault, statement?: string) => void;
  /** COMMITs that the fault has struck. */
  readonly struck: () => number;
  readonly close: () => Promise<void>;
};

const commitText = /commit/i;
const beginText = 'START TRANSACTION';

export async function startCommitProxy(targetUrl: string): Promise<CommitProxy> {
  const target = new URL(targetUrl);
  const sockets = new Set<Socket>();
  let fault: CommitFault = 'none';
  let struck = 0;
  let named: string | undefined;
  const commits = (text: string): boolean => (named === undefined ? commitText.test(text) : text.includes(named));
  const server = createServer((client) => {
    const upstream = connect({ host: target.hostname, port: Number(target.port), noDelay: true });
    let armed: CommitFault = 'none';
    keep(sockets, client, upstream);
    client.on('data', (bytes) => {
      const text = bytes.toString('latin1');
      if (fault !== 'none' && (fault === 'refuse-begin' ? text.includes(beginText) : commits(text))) {
        armed = fault;
        struck += 1;
      }
      if (armed === 'lose-request') client.destroy();
      else if (armed === 'refuse-begin') upstream.write(text.replace(beginText, 'STRAT TRANSACTION'), 'latin1');
      else upstream.write(bytes);
    });
    upstream.on('data', (bytes) => {
      if (armed === 'lose-response') client.destroy();
      else client.write(armed === 'garble-response' ? garbled(bytes) : bytes);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: urlAt(target, server.address()),
    setFault: (next, statement) => {
      fault = next;
      named = statement;
    },
    struck: () => struck,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

function keep(sockets: Set<Socket>, client: Socket, upstream: Socket): void {
  for (const [one, other] of [
    [client, upstream],
    [upstream, client],
  ] as const) {
    sockets.add(one);
    one.on('error', () => undefined); // the close that follows is what counts
    one.on('close', () => {
      sockets.delete(one);
      other.destroy();
    });
  }
}

/** A message of a type that the protocol does not have. */
function garbled(bytes: Buffer): Buffer {
  const changed = Buffer.from(bytes);
  changed.writeUInt8('?'.charCodeAt(0), 0);
  return changed;
}

function urlAt(target: URL, address: ReturnType<ReturnType<typeof createServer>['address']>): string {
  if (address === null || typeof address === 'string') throw new Error('The proxy has no port.');
  const url = new URL(target);
  url.hostname = '127.0.0.1';
  url.port = address.port.toString();
  return url.href;
}
