import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

type HorizonRecord = Readonly<Record<string, unknown>>;

/** A Horizon in front of the sandbox's, whose history can be falsified or refused. */
export type TamperedHorizon = {
  readonly url: string;
  /** Calls for the history of the whole network so far. */
  readonly historyCalls: () => number;
  /** Replaces records of lists; undefined leaves them as they are. */
  readonly falsify: (replace: ((record: HorizonRecord) => unknown) | undefined) => void;
  /** The network that the node says it belongs to; undefined leaves it as it is. */
  readonly showNetwork: (passphrase: string | undefined) => void;
  /** Calls for the history get this status; undefined ends that. */
  readonly refuseHistory: (status: number | undefined) => void;
  readonly close: () => Promise<void>;
};

export async function aTamperedHorizon(target: string): Promise<TamperedHorizon> {
  let calls = 0;
  let replace: ((record: HorizonRecord) => unknown) | undefined;
  let refusedWith: number | undefined;
  let shownNetwork: string | undefined;
  const server = createServer((request, response) => {
    const path = request.url ?? '/';
    const isHistory = path.startsWith('/operations?');
    if (isHistory) calls += 1;
    if (isHistory && refusedWith !== undefined) return void response.writeHead(refusedWith).end('{}');
    fetch(`${target}${path}`)
      .then(async (answer) => {
        const text = await answer.text();
        response.writeHead(answer.status, { 'content-type': 'application/json' });
        if (path === '/' && shownNetwork !== undefined) response.end(JSON.stringify({ network_passphrase: shownNetwork }));
        else response.end(replace === undefined ? text : falsified(text, replace));
      })
      .catch(() => response.writeHead(502).end());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    historyCalls: () => calls,
    falsify: (by) => void (replace = by),
    showNetwork: (passphrase) => void (shownNetwork = passphrase),
    refuseHistory: (status) => void (refusedWith = status),
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

type Listing = { readonly _embedded?: { readonly records?: readonly HorizonRecord[] } };

function falsified(text: string, replace: (record: HorizonRecord) => unknown): string {
  const listing = JSON.parse(text) as Listing;
  const records = listing._embedded?.records;
  return records === undefined ? text : JSON.stringify({ ...listing, _embedded: { records: records.map(replace) } });
}
