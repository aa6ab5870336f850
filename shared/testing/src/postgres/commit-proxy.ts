import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { closeTogether, proxiedUrl } from '../tcp-proxy/index.js';

/** The fault that the proxy injects into each COMMIT, or into each BEGIN. */
export type CommitFault = 'none' | 'lose-request' | 'lose-response' | 'garble-response' | 'refuse-begin';

/** A proxy to Postgres that can lose a COMMIT, lose its response or corrupt its response. */
export type CommitProxy = {
  readonly url: string;
  /** Applies the fault to COMMITs, or to statements that contain `statement`, for statements that run without a transaction. */
  readonly setFault: (fault: CommitFault, statement?: string) => void;
  /** How often a fault was injected. */
  readonly faultCount: () => number;
  readonly close: () => Promise<void>;
};

/** The whole statement; others set `synchronous_commit`. */
const commitText = /(?<![_a-z])commit\0/i;
const beginText = 'START TRANSACTION';

export async function startCommitProxy(targetUrl: string): Promise<CommitProxy> {
  const target = new URL(targetUrl);
  const sockets = new Set<Socket>();
  let fault: CommitFault = 'none';
  let faultCount = 0;
  let targetStatement: string | undefined;
  const commits = (text: string): boolean =>
    targetStatement === undefined ? commitText.test(text) : text.includes(targetStatement);
  const server = createServer((client) => {
    const upstream = connect({ host: target.hostname, port: Number(target.port), noDelay: true });
    let armed: CommitFault = 'none';
    closeTogether(sockets, client, upstream);
    client.on('data', (bytes) => {
      const text = bytes.toString('latin1');
      if (fault !== 'none' && (fault === 'refuse-begin' ? text.includes(beginText) : commits(text))) {
        armed = fault;
        faultCount += 1;
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
    url: proxiedUrl(target, server.address()),
    setFault: (next, statement) => {
      fault = next;
      targetStatement = statement;
    },
    faultCount: () => faultCount,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

/** Replaces the message type with one that the protocol does not define. */
function garbled(bytes: Buffer): Buffer {
  const changed = Buffer.from(bytes);
  changed.writeUInt8('?'.charCodeAt(0), 0);
  return changed;
}
