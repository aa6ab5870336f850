import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { closeTogether } from '@holdfast/testing/tcp-proxy';

export type Replica = { readonly url: string; readonly metricsUrl: string };

/** One address for the replicas of a service, as a cluster gives it: connections go to the ready ones in turn. */
export type Balancer = {
  readonly url: string;
  readonly setReplicas: (replicas: readonly Replica[]) => void;
  readonly close: () => void;
};

const pollMs = 500;
const notReady = 503;

export async function startBalancer(): Promise<Balancer> {
  let ready: readonly Replica[] = [];
  let all: readonly Replica[] = [];
  let turn = 0;
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    turn += 1;
    const order = ready.map((_, index) => ready[(turn + index) % ready.length]).filter((replica) => replica !== undefined);
    connectTo(order, client, sockets);
  });
  const poll = setInterval(() => {
    const asked = all;
    const onChecked = (states: readonly boolean[]): void => {
      if (asked === all) ready = asked.filter((_, index) => states[index] === true);
    };
    Promise.all(asked.map(isReady)).then(onChecked, () => undefined);
  }, pollMs);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return {
    url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`,
    setReplicas: (replicas) => {
      all = replicas;
      ready = replicas;
    },
    close: () => {
      clearInterval(poll);
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

/** Tries one replica after the other until one accepts the connection. */
function connectTo([replica, ...others]: readonly Replica[], client: Socket, sockets: Set<Socket>): void {
  if (replica === undefined || client.destroyed) {
    client.destroy();
    return;
  }
  const { hostname, port } = new URL(replica.url);
  const upstream = connect({ host: hostname, port: Number(port), noDelay: true });
  const tryNext = (): void => connectTo(others, client, sockets);
  upstream.once('error', tryNext);
  upstream.once('connect', () => {
    upstream.off('error', tryNext);
    closeTogether(sockets, client, upstream);
    client.pipe(upstream).pipe(client);
  });
}

/** A check that does not end says nothing: the machine is busy. */
async function isReady({ metricsUrl }: Replica): Promise<boolean> {
  try {
    const response = await fetch(`${metricsUrl}/readyz`, { signal: AbortSignal.timeout(5_000) });
    await response.text();
    return response.status !== notReady;
  } catch (error) {
    return error instanceof Error && error.name === 'TimeoutError';
  }
}
