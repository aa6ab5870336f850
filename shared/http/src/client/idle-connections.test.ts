import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { z } from 'zod';
import { eventually } from '@holdfast/testing/eventually';
import { createHttpClient } from './index.js';

/** A server that closes idle connections after 50 ms, and a client with one connection to it. */
async function setUp(behave: RequestListener) {
  const open = new Set<Socket>();
  let opened = 0;
  let received = 0;
  const server = createServer({ keepAliveTimeout: 50 }, (request, response) => {
    received += 1;
    behave(request, response);
  });
  server.on('connection', (socket) => {
    opened += 1;
    open.add(socket);
    socket.once('close', () => open.delete(socket));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const errors = { unavailable: 'SERVICE_UNAVAILABLE', timedOut: 'PROVIDER_TIMEOUT' } as const;
  const client = createHttpClient({ baseUrl: `http://127.0.0.1:${port}`, timeoutMs: 5_000, connectionsMax: 1, errors });
  return {
    post: () => client.request({ method: 'POST', path: '/', body: {}, responseSchema: z.literal('done') }),
    counts: () => ({ opened, received }),
    untilIdleConnectionsAreClosed: () => eventually(() => expect(open.size).toBe(0)),
    stop: async () => {
      await client.close();
      server.closeAllConnections();
      server.close();
    },
  };
}

const done: RequestListener = (_request, response) => response.end('"done"');
/** Announces a longer keep-alive than the server grants. */
const doneAndWrongAboutKeepAlive: RequestListener = (_request, response) =>
  response.writeHead(200, { connection: 'keep-alive', 'keep-alive': 'timeout=60' }).end('"done"');

describe.each([
  ['as it announced', done],
  ['although it announced a minute', doneAndWrongAboutKeepAlive],
])('a server that closes an idle connection %s', (_how, behave) => {
  it('gets the next request once, over a new connection', async () => {
    const { post, counts, untilIdleConnectionsAreClosed, stop } = await setUp(behave);
    expect(await post()).toBe('done');
    await untilIdleConnectionsAreClosed();
    expect(await post()).toBe('done');
    expect(counts()).toEqual({ opened: 2, received: 2 });
    await stop();
  });
});

describe('a server that closes the connection of a request it received', () => {
  it('503 SERVICE_UNAVAILABLE, and the request is not sent again', async () => {
    const { post, counts, stop } = await setUp((request) => request.socket.destroy());
    await expect(post()).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    expect(counts()).toEqual({ opened: 1, received: 1 });
    await stop();
  });
});
