import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { eventually } from '@holdfast/testing/eventually';
import { freePort } from '@holdfast/testing/servers';
import { followStream, StreamRefused, type FollowOptions, type StreamMessage } from './index.js';

type Connection = { readonly lastEventId: string | undefined; readonly response: ServerResponse };

/** A server of server-sent events. The test writes each response. */
async function aStreamServer(behave: (request: IncomingMessage, response: ServerResponse) => void = () => undefined) {
  const connections: Connection[] = [];
  const server = createServer((request, response) => {
    connections.push({ lastEventId: request.headers['last-event-id'] as string | undefined, response });
    behave(request, response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const accept = async (index: number): Promise<ServerResponse> => {
    const { response } = await eventually(() => connections.at(index) ?? Promise.reject(new Error('not connected yet')));
    return response.writeHead(200, { 'content-type': 'text/event-stream' });
  };
  const stop = (): void => {
    server.closeAllConnections();
    server.close();
  };
  return { url: `http://127.0.0.1:${port}/events`, connections, accept, stop };
}

function follow(url: string, options: Partial<FollowOptions> = {}) {
  const messages: StreamMessage[] = [];
  const breaks: string[] = [];
  const stopping = new AbortController();
  const ended = followStream({
    url,
    headers: () => ({ authorization: 'Bearer key' }),
    retryMs: 1,
    onMessage: (message) => void messages.push(message),
    onBreak: (reason) => breaks.push(reason),
    signal: stopping.signal,
    ...options,
  });
  return { messages, breaks, ended, stop: () => stopping.abort() };
}

describe('following a stream', () => {
  it('delivers messages with and without an id, in whatever chunks they arrive', async () => {
    const server = await aStreamServer();
    const { messages, ended, stop } = follow(server.url);
    const response = await server.accept(0);
    const bytes = Buffer.from('retry: 1\n\nid: 1\r\nevent: ä\r\ndata: {"x": 1}\r\n\r\n: a comment\ndata: one\ndata:two\n\n');
    for (const byte of bytes) response.write(Buffer.of(byte));
    await eventually(() =>
      expect(messages).toEqual([
        { id: '1', event: 'ä', data: '{"x": 1}' },
        { id: undefined, event: 'message', data: 'one\ntwo' },
      ]),
    );
    stop();
    await ended;
    server.stop();
  });

  it('resumes with Last-Event-ID after its connection broke or was closed', async () => {
    const server = await aStreamServer();
    const { messages, ended, stop } = follow(server.url, { lastEventId: '0' });
    const first = await server.accept(0);
    first.write('id: 1\ndata: a\n\ndata: without an id\n\nid: 2\ndata: never complete');
    await eventually(() => expect(messages).toHaveLength(2));
    first.destroy();
    (await server.accept(1)).end('id: 2\ndata: b\n\n');
    (await server.accept(2)).write('id: 3\ndata: c\n\n');
    await eventually(() => expect(messages).toHaveLength(4));
    stop();
    await ended;
    expect(messages.map(({ data }) => data)).toEqual(['a', 'without an id', 'b', 'c']);
    expect(server.connections.map(({ lastEventId }) => lastEventId)).toEqual(['0', '1', '2']);
    server.stop();
  });

  it('retries after 429 and 503', async () => {
    const statuses = [429, 503];
    const server = await aStreamServer((_request, response) => {
      const status = statuses.shift();
      if (status !== undefined) response.writeHead(status).end('not now');
    });
    const { messages, breaks, ended, stop } = follow(server.url);
    (await server.accept(2)).write('data: a\n\n');
    await eventually(() => expect(messages).toHaveLength(1));
    expect(breaks).toEqual(['429 not now', '503 not now']);
    stop();
    await ended;
    server.stop();
  });

  it('retries while the connection is refused', async () => {
    const { breaks, ended, stop } = follow(`http://127.0.0.1:${await freePort()}/events`);
    await eventually(() => expect(breaks.length).toBeGreaterThan(1));
    expect(breaks[0]).toContain('ECONNREFUSED');
    stop();
    await ended;
  });

  it.each([204, 302, 401, 404])('throws StreamRefused for status %d', async (status) => {
    const server = await aStreamServer((_request, response) => void response.writeHead(status, { location: '/other' }).end());
    await expect(follow(server.url).ended).rejects.toMatchObject({ name: StreamRefused.name, status });
    expect(server.connections).toHaveLength(1);
    server.stop();
  });

  it('reads no further, and resumes at the same message, while its listener is busy', async () => {
    const server = await aStreamServer();
    const seen: string[] = [];
    let finish: () => void = () => undefined;
    const busy = new Promise<void>((resolve) => (finish = resolve));
    const { ended, stop } = follow(server.url, {
      lastEventId: '0',
      onMessage: async ({ data }) => {
        seen.push(data);
        if (data === 'b') await busy;
      },
    });
    const first = await server.accept(0);
    first.write('id: 1\ndata: a\n\nid: 2\ndata: b\n\nid: 3\ndata: c\n\n');
    await eventually(() => expect(seen).toEqual(['a', 'b']));
    first.destroy();
    finish();
    (await server.accept(1)).write('id: 3\ndata: d\n\n');
    await eventually(() => expect(seen.at(-1)).toBe('d'));
    stop();
    await ended;
    expect(['2', '3']).toContain(server.connections[1]?.lastEventId);
    server.stop();
  });

  it('throws the error of its listener', async () => {
    const server = await aStreamServer();
    const { ended } = follow(server.url, {
      onMessage: () => {
        throw new Error('a bug');
      },
    });
    (await server.accept(0)).write('data: a\n\n');
    await expect(ended).rejects.toThrow('a bug');
    server.stop();
  });
});
