import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { z } from 'zod';
import { eventually } from '@holdfast/testing/eventually';
import { HttpStatusError, createHttpClient, isHttpRefusal, type HttpClient, type HttpClientOptions } from './index.js';

const errors = { unavailable: 'SERVICE_UNAVAILABLE', timedOut: 'PROVIDER_TIMEOUT' } as const;
const responseSchema = z.object({ id: z.string() });

let server: Server;
let client: HttpClient;
let behave: RequestListener;
const connections = new Set<unknown>();

beforeAll(async () => {
  server = createServer((request, response) => behave(request, response));
  server.on('connection', (socket) => connections.add(socket));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

function respondingWith(status: number, text: string): RequestListener {
  return (_request, response) => response.writeHead(status, { 'content-type': 'application/json' }).end(text);
}

function aClient(options: Partial<HttpClientOptions> = {}): HttpClient {
  const { port } = server.address() as AddressInfo;
  return createHttpClient({ baseUrl: `http://127.0.0.1:${port}/base/`, timeoutMs: 5_000, errors, ...options });
}

describe('a request', () => {
  beforeAll(() => {
    client = aClient();
  });
  afterAll(() => client.close());

  it('sends JSON below the base URL and parses the response', async () => {
    let seen: Pick<IncomingMessage, 'method' | 'url' | 'headers'> | undefined;
    let body = '';
    behave = (request, response) => {
      seen = request;
      request.on('data', (chunk: Buffer) => (body += chunk.toString()));
      request.on('end', () => response.end('{"id":"p1","more":true}'));
    };
    expect(
      await client.request({
        method: 'POST',
        path: '/payins?x=1',
        body: { amount: '1' },
        headers: { 'x-key': 'k' },
        responseSchema,
      }),
    ).toEqual({ id: 'p1' });
    expect(seen).toMatchObject({
      method: 'POST',
      url: '/base/payins?x=1',
      headers: { 'x-key': 'k', 'content-type': 'application/json' },
    });
    expect(body).toBe('{"amount":"1"}');
  });

  it('reuses its connection', async () => {
    behave = respondingWith(200, '{"id":"p1"}');
    const before = connections.size;
    for (let call = 0; call < 5; call += 1) await client.request({ method: 'GET', path: '/', responseSchema });
    expect(connections.size).toBeLessThanOrEqual(before + 1);
  });

  it.each([400, 404, 429, 500, 503])('rejects with HttpStatusError for status %d, with status and body', async (status) => {
    behave = respondingWith(status, '{"message":"no"}');
    const refused = await client.request({ method: 'GET', path: '/', responseSchema }).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(HttpStatusError);
    expect(refused).toMatchObject({ status, body: { message: 'no' } });
    expect(isHttpRefusal(refused)).toBe(status === 400 || status === 404);
  });

  it('does not follow redirects', async () => {
    behave = (_request, response) => response.writeHead(302, { location: 'http://example.invalid/' }).end();
    await expect(client.request({ method: 'GET', path: '/', responseSchema })).rejects.toMatchObject({ status: 302 });
  });

  it.each([
    ['not JSON', respondingWith(200, '<html>')],
    ['of another shape', respondingWith(200, '{"id":7}')],
    ['empty', respondingWith(200, '')],
    ['endless', respondingWith(200, `{"id":"${'x'.repeat(2 * 1024 * 1024)}"}`)],
    [
      'broken off',
      (_request, response) => void response.writeHead(200, { 'content-length': '100' }).write('{', () => response.destroy()),
    ],
  ] satisfies [string, RequestListener][])(
    '503 SERVICE_UNAVAILABLE when the response is %s',
    async (_what, listener: RequestListener) => {
      behave = listener;
      await expect(client.request({ method: 'GET', path: '/', responseSchema })).rejects.toMatchObject({
        code: 'SERVICE_UNAVAILABLE',
      });
    },
  );

  it('503 SERVICE_UNAVAILABLE when the connection is refused', async () => {
    const lonely = aClient({ baseUrl: 'http://127.0.0.1:9' });
    await expect(lonely.request({ method: 'GET', path: '/', responseSchema })).rejects.toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
    });
  });

  it.each([
    ['headers', () => undefined],
    ['the end', (_request, response) => void response.writeHead(200).write('{')],
    ['one byte after the other', (_request, response) => {
      const timer = setInterval(() => response.write(' '), 20);
      response.on('close', () => clearInterval(timer));
    }],
  ] satisfies [string, RequestListener][])('504 PROVIDER_TIMEOUT when it waits too long for %s', async (_what, listener: RequestListener) => {
    behave = listener;
    const late = client.request({ method: 'GET', path: '/', responseSchema, timeoutMs: 200 });
    await expect(late).rejects.toMatchObject({ code: 'PROVIDER_TIMEOUT' });
  }); // prettier-ignore

  it('503 SERVICE_UNAVAILABLE when its signal is aborted', async () => {
    behave = () => undefined;
    const calledOff = client.request({
      method: 'GET',
      path: '/',
      responseSchema,
      timeoutMs: 5_000,
      signal: AbortSignal.timeout(50),
    });
    await expect(calledOff).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  });

  it('503 SERVICE_UNAVAILABLE, and nothing is sent, when its signal was aborted before', async () => {
    behave = respondingWith(200, '{"id":"p1"}');
    const late = client.request({ method: 'GET', path: '/', responseSchema, signal: AbortSignal.abort() });
    await expect(late).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  });

  it.each([
    ['504 PROVIDER_TIMEOUT', () => ({ timeoutMs: 50 }), 'PROVIDER_TIMEOUT'],
    ['503 SERVICE_UNAVAILABLE', () => ({ signal: AbortSignal.timeout(50) }), 'SERVICE_UNAVAILABLE'],
  ])('%s, and nothing is sent, when it ends before a connection is free', async (_case, limits, code) => {
    const paths: (string | undefined)[] = [];
    const narrow = aClient({ connectionsMax: 1 });
    let first: Promise<unknown> = Promise.resolve();
    const arrived = new Promise<ServerResponse>((resolve) => {
      behave = (request, response) => {
        // A request that an earlier test has aborted may arrive only now.
        if (request.method !== 'POST') return;
        paths.push(request.url);
        resolve(response);
      };
      first = narrow.request({ method: 'POST', path: '/first', responseSchema });
    });
    const open = await arrived;
    const second = narrow.request({ method: 'POST', path: '/second', responseSchema, ...limits() });
    await expect(second).rejects.toMatchObject({ code });
    open.end('{"id":"p1"}');
    expect(await first).toEqual({ id: 'p1' });
    behave = (request, response) => {
      paths.push(request.url);
      response.end('{"id":"p3"}');
    };
    expect(await narrow.request({ method: 'POST', path: '/third', responseSchema })).toEqual({ id: 'p3' });
    expect(paths).toEqual(['/base/first', '/base/third']);
    await narrow.close();
  });

  it('reads a response in chunks, after an informational response', async () => {
    behave = (_request, response) => {
      response.writeEarlyHints({ link: '</style.css>; rel=preload' });
      response.write('{"id":"pä');
      setImmediate(() => response.end('ö"}'));
    };
    expect(await client.request({ method: 'GET', path: '/', responseSchema })).toEqual({ id: 'päö' });
  });

  it('503 SERVICE_UNAVAILABLE, and nothing is sent, when its body cannot be serialized', async () => {
    const unwritable = client.request({ method: 'POST', path: '/', body: { units: 1n }, responseSchema });
    await expect(unwritable).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  });

  it('closes its connection when it is aborted', async () => {
    let closed = 0;
    let arrived = 0;
    behave = (request) => {
      arrived += 1;
      request.socket.once('close', () => (closed += 1));
    };
    const leaving = new AbortController();
    const aborted = client.request({ method: 'POST', path: '/', responseSchema, signal: leaving.signal });
    await eventually(() => expect(arrived).toBe(1));
    leaving.abort();
    await expect(aborted).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    await eventually(() => expect(closed).toBe(1));
  });

  it('sends large bodies and any character', async () => {
    behave = (request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => response.end(Buffer.concat(chunks)));
    };
    const id = 'Grüße €'.repeat(20_000);
    expect(await client.request({ method: 'POST', path: '/', body: { id }, responseSchema })).toEqual({ id });
  });

  it.each([
    ['header', { headers: { 'x-name': 'a\r\nx-other: b' } }],
    ['path', { path: '/ HTTP/1.1\r\nx-other: b\r\n' }],
  ])('503 SERVICE_UNAVAILABLE, and nothing is sent, with a line break in a %s', async (_where, given) => {
    let arrived = 0;
    behave = (_request, response) => {
      arrived += 1;
      response.end('{"id":"p1"}');
    };
    const split = client.request({ method: 'POST', path: '/', responseSchema, ...given });
    await expect(split).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    expect(arrived).toBe(0);
  });
});

describe('the queue for a connection', () => {
  it('503 SERVICE_UNAVAILABLE at once when it is full; requests in it are served', async () => {
    const held: ServerResponse[] = [];
    behave = (_request, response) => void held.push(response);
    const narrow = aClient({ connectionsMax: 1, queueMax: 1 });
    const get = () => narrow.request({ method: 'GET', path: '/', responseSchema });
    const [first, second] = [get(), get()];
    await expect(get()).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    for (const position of [0, 1]) {
      const response = await eventually(() => held.at(position) ?? Promise.reject(new Error('not there yet')));
      response.end('{"id":"p1"}');
    }
    expect(await Promise.all([first, second])).toEqual([{ id: 'p1' }, { id: 'p1' }]);
    expect(held.length).toBe(2);
    await narrow.close();
  });
});

describe('a place among the open requests', () => {
  it('is free again once a request has ended, however it ends', async () => {
    let arrived = 0;
    const listeners: readonly RequestListener[] = [
      respondingWith(200, '{"id":"p1"}'),
      respondingWith(500, ''),
      (request) => request.socket.destroy(),
      () => undefined,
      (_request, response) => void response.writeHead(200).write('{'),
      respondingWith(200, '{"id":"p1"}'),
    ];
    behave = (request, response) => {
      listeners[arrived]?.(request, response);
      arrived += 1;
    };
    const narrow = aClient({ connectionsMax: 1, queueMax: 0, timeoutMs: 100 });
    for (const place of listeners.keys()) {
      // A connection that is being closed holds its place for a moment.
      await eventually(async () => {
        await narrow.request({ method: 'POST', path: '/', responseSchema }).catch(() => undefined);
        expect(arrived).toBe(place + 1);
      });
    }
    await narrow.close();
  });
});

describe('closing', () => {
  it('finishes a running request and refuses new ones', async () => {
    behave = respondingWith(200, '{"id":"p1"}');
    const closing = aClient();
    const running = closing.request({ method: 'GET', path: '/', responseSchema });
    const closed = closing.close();
    expect(await running).toEqual({ id: 'p1' });
    await closed;
    await expect(closing.request({ method: 'GET', path: '/', responseSchema })).rejects.toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
    });
  });
});
