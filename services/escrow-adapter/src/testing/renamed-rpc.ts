import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export type RenamedRpc = { readonly url: string; readonly close: () => Promise<void> };

/** An RPC in front of another one that says it belongs to another network. */
export async function aRenamedRpc(
  target: string,
  { from, to }: { readonly from: string; readonly to: string },
): Promise<RenamedRpc> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      fetch(target, { method: 'POST', headers: { 'content-type': 'application/json' }, body: Buffer.concat(chunks) })
        .then(async (answer) => {
          response.writeHead(answer.status, { 'content-type': 'application/json' });
          response.end((await answer.text()).replaceAll(from, to));
        })
        .catch(() => response.writeHead(502).end());
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
