import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { closeTogether, proxiedUrl } from '../tcp-proxy/index.js';

/** The fault that the proxy injects into each COMMIT, or into each BEGIN. */
export type CommitFault = 'none' | 'lose-request' | 'lose-response' | 'garble-response' | 'refuse-begin';

/** A statement that runs without a transaction, or the COMMIT of a transaction that has this statement, by the name of the statement. */
export type CommitTarget = { readonly statement: string } | { readonly commitAfter: string };

/** A proxy to Postgres that can lose a COMMIT, lose its response or corrupt its response. */
export type CommitProxy = {
  readonly url: string;
  /** Applies the fault to COMMITs, or to those that the target names. */
  readonly setFault: (fault: CommitFault, target?: CommitTarget) => void;
  /** How often a fault was injected. */
  readonly faultCount: () => number;
  readonly close: () => Promise<void>;
};

/** The whole statement; others set `synchronous_commit`. */
const commitText = /(?<![_a-z])commit\0/i;
const beginText = 'START TRANSACTION';

export async function startCommitProxy(targetUrl: string): Promise<CommitProxy> {
  const upstreamUrl = new URL(targetUrl);
  const sockets = new Set<Socket>();
  let fault: CommitFault = 'none';
  let faultCount = 0;
  let target: CommitTarget | undefined;
  const server = createServer((client) => {
    const upstream = connect({ host: upstreamUrl.hostname, port: Number(upstreamUrl.port), noDelay: true });
    let armed: CommitFault = 'none';
    const commits = committing(() => target);
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
    url: proxiedUrl(upstreamUrl, server.address()),
    setFault: (next, nextTarget) => {
      fault = next;
      target = nextTarget;
    },
    faultCount: () => faultCount,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

/** Whether what a connection sends commits what the target names. */
function committing(targetOf: () => CommitTarget | undefined): (text: string) => boolean {
  let isInTransaction = false;
  return (text) => {
    const target = targetOf();
    if (target === undefined) return commitText.test(text);
    if ('statement' in target) return text.includes(target.statement);
    isInTransaction = (isInTransaction && !text.includes(beginText)) || text.includes(target.commitAfter);
    return isInTransaction && commitText.test(text);
  };
}

/** Replaces the message type with one that the protocol does not define. */
function garbled(bytes: Buffer): Buffer {
  const changed = Buffer.from(bytes);
  changed.writeUInt8('?'.charCodeAt(0), 0);
  return changed;
}
