import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Pool } from 'undici';
import { z } from 'zod';
import { pooledCarrier } from '../http-connections/index.js';
import { clientOver } from './http-client.js';
import { HttpStatusError, createHttpClient, isHttpRefusal, type HttpClient, type HttpClientOptions } from './index.js';

const errors = { unavailable: 'SERVICE_UNAVAILABLE', timedOut: 'PROVIDER_TIMEOUT' } as const;
const answer = z.object({ id: z.string() });

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

type Create = (options: HttpClientOptions) => HttpClient;

/** What encrypted connections go through. */
const overGeneralClient: Create = (options) => {
  const limits = { connections: options.connectionsMax ?? null, headersTimeout: 5_000, bodyTimeout: 5_000 };
  return clientOver(pooledCarrier(new Pool(new URL(options.baseUrl).origin, limits)), options);
};

function answering(status: number, text: string): RequestListener {
  return (_request, response) => response.writeHead(status, { 'content-type': 'application/json' }).end(text);
}

describe.each<[string, Create]>([
  ['connections of our own', createHttpClient],
  ['a general client', overGeneralClient],
])('a request over %s', (_over, create) => {
  const aClient = (options: Partial<HttpClientOptions> = {}): HttpClient => {
    const { port } = server.address() as AddressInfo;
    return create({ baseUrl: `http://127.0.0.1:${port}/base/`, timeoutMs: 5_000, errors, ...options });
  };
  beforeAll(() => {
    client = aClient();
  });
  afterAll(() => client.close());

  it('sends JSON below the base and parses the answer', async () => {
    let seen: Pick<IncomingMessage, 'method' | 'url' | 'headers'> | undefined;
    let body = '';
    behave = (request, response) => {
      seen = request;
      request.on('data', (chunk: Buffer) => (body += chunk.toString()));
      request.on('end', () => response.end('{"id":"p1","more":true}'));
    };
    expect(
      await client.request({ method: 'POST', path: '/payins?x=1', body: { amount: '1' }, headers: { 'x-key': 'k' }, answer }),
    ).toEqual({ id: 'p1' });
    expect(seen).toMatchObject({
      method: 'POST',
      url: '/base/payins?x=1',
      headers: { 'x-key': 'k', 'content-type': 'application/json' },
    });
    expect(body).toBe('{"amount":"1"}');
  });

  it('keeps its connection for the next one', async () => {
    behave = answering(200, '{"id":"p1"}');
    const before = connections.size;
    for (let call = 0; call < 5; call += 1) await client.request({ method: 'GET', path: '/', answer });
    expect(connections.size).toBeLessThanOrEqual(before + 1);
  });

  it.each([400, 404, 429, 500, 503])('with status %d shows status and body to whoever asked', async (status) => {
    behave = answering(status, '{"message":"no"}');
    const refused = await client.request({ method: 'GET', path: '/', answer }).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(HttpStatusError);
    expect(refused).toMatchObject({ status, body: { message: 'no' } });
    expect(isHttpRefusal(refused)).toBe(status === 400 || status === 404);
  });

  it('does not follow redirections', async () => {
    behave = (_request, response) => response.writeHead(302, { location: 'http://example.invalid/' }).end();
    await expect(client.request({ method: 'GET', path: '/', answer })).rejects.toMatchObject({ status: 302 });
  });

  it.each([
    ['not JSON', answering(200, '<html>')],
    ['of another shape', answering(200, '{"id":7}')],
    ['empty', answering(200, '')],
    ['endless', answering(200, `{"id":"${'x'.repeat(2 * 1024 * 1024)}"}`)],
    [
      'broken off',
      (_request, response) => void response.writeHead(200, { 'content-length': '100' }).write('{', () => response.destroy()),
    ],
  ] satisfies [string, RequestListener][])(
    '503 SERVICE_UNAVAILABLE when the answer is %s',
    async (_what, listener: RequestListener) => {
      behave = listener;
      await expect(client.request({ method: 'GET', path: '/', answer })).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    },
  );

  it('503 SERVICE_UNAVAILABLE when nobody is there', async () => {
    const lonely = aClient({ baseUrl: 'http://127.0.0.1:9' });
    await expect(lonely.request({ method: 'GET', path: '/', answer })).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
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
    const startedAt = performance.now();
    const asked = client.request({ method: 'GET', path: '/', answer, timeoutMs: 200 });
    await expect(asked).rejects.toMatchObject({ code: 'PROVIDER_TIMEOUT' });
    expect(performance.now() - startedAt).toBeLessThan(4_000);
  }); // prettier-ignore

  it('503 SERVICE_UNAVAILABLE when it is called off', async () => {
    behave = () => undefined;
    const calledOff = client.request({ method: 'GET', path: '/', answer, timeoutMs: 5_000, signal: AbortSignal.timeout(50) });
    await expect(calledOff).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  });

  it('503 SERVICE_UNAVAILABLE, and nothing is sent, when it was called off before', async () => {
    behave = answering(200, '{"id":"p1"}');
    const late = client.request({ method: 'GET', path: '/', answer, signal: AbortSignal.abort() });
    await expect(late).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  });

  it.each([
    ['504 PROVIDER_TIMEOUT', () => ({ timeoutMs: 50 }), 'PROVIDER_TIMEOUT'],
    ['503 SERVICE_UNAVAILABLE', () => ({ signal: AbortSignal.timeout(50) }), 'SERVICE_UNAVAILABLE'],
  ])('%s, and nothing is sent, when it ends before a connection is free', async (_what, limits, code) => {
    const paths: (string | undefined)[] = [];
    const narrow = aClient({ connectionsMax: 1 });
    let first: Promise<unknown> = Promise.resolve();
    const arrived = new Promise<ServerResponse>((resolve) => {
      behave = (request, response) => {
        // One that an earlier test has called off may arrive only now.
        if (request.method !== 'POST') return;
        paths.push(request.url);
        resolve(response);
      };
      first = narrow.request({ method: 'POST', path: '/first', answer });
    });
    const open = await arrived;
    const second = narrow.request({ method: 'POST', path: '/second', answer, ...limits() });
    await expect(second).rejects.toMatchObject({ code });
    open.end('{"id":"p1"}');
    expect(await first).toEqual({ id: 'p1' });
    behave = (request, response) => {
      paths.push(request.url);
      response.end('{"id":"p3"}');
    };
    expect(await narrow.request({ method: 'POST', path: '/third', answer })).toEqual({ id: 'p3' });
    expect(paths).toEqual(['/base/first', '/base/third']);
    await narrow.close();
  });

  it('reads an answer that comes in pieces, after one that only announces it', async () => {
    behave = (_request, response) => {
      response.writeEarlyHints({ link: '</style.css>; rel=preload' });
      response.write('{"id":"pä');
      setImmediate(() => response.end('ö"}'));
    };
    expect(await client.request({ method: 'GET', path: '/', answer })).toEqual({ id: 'päö' });
  });

  it('503 SERVICE_UNAVAILABLE, and nothing is sent, when its body cannot be written as JSON', async () => {
    const unwritable = client.request({ method: 'POST', path: '/', body: { units: 1n }, answer });
    await expect(unwritable).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  });
});
