import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { eventually } from '@holdfast/shared/testing/eventually';
import { createHttpConnections, SilenceError, type Carrier, type CarriedRequest } from './http-connections.js';

type Behave = (request: IncomingMessage, response: ServerResponse) => void;

const echo: Behave = (request, response) => void request.pipe(response.writeHead(200));

let behave: Behave;
let server: Server;
let url: URL;
let ports: (number | undefined)[];
let open: Carrier[];

beforeAll(async () => {
  server = createServer((request, response) => {
    ports.push(request.socket.remotePort);
    behave(request, response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  url = new URL(`http://127.0.0.1:${port}`);
});
beforeEach(() => {
  [behave, ports, open] = [echo, [], []];
});
afterEach(async () => {
  server.closeAllConnections();
  await Promise.all(open.map((carrier) => carrier.close()));
});
afterAll(() => void server.close());

function connections(connectionsMax = 1): Carrier {
  const carrier = createHttpConnections({ url, connectionsMax, connectTimeoutMs: 1_000, timeoutMs: 500 });
  open.push(carrier);
  return carrier;
}

const post: CarriedRequest = { method: 'POST', path: '/', headers: ['X-Name', 'value'], body: Buffer.from('hello') };

function ask(carrier: Carrier, request = post, signal?: AbortSignal): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    carrier.dispatch(request, {
      onRequestStart: ({ abort }) => signal?.addEventListener('abort', () => abort(new Error('left'))),
      onResponseStart: () => undefined,
      onResponseData: (_controller, chunk) => (text += chunk.toString()),
      onResponseEnd: () => resolve(text),
      onResponseError: (_controller, error) => reject(error),
    });
  });
}

it('one connection serves requests one after the other', async () => {
  const carrier = connections();
  expect(await Promise.all([ask(carrier), ask(carrier), ask(carrier)])).toEqual(['hello', 'hello', 'hello']);
  expect(new Set(ports).size).toBe(1);
});

it('a body larger than a write goes through whole', async () => {
  const body = Buffer.alloc(200_000, 'ab');
  expect(await ask(connections(), { ...post, body })).toBe(body.toString());
});

it('bytes that are no text arrive as they were', async () => {
  expect(await ask(connections(), { ...post, body: Buffer.from('Grüße €') })).toBe('Grüße €');
});

it('a receiver who needs time holds the service up, and gets all of it then', async () => {
  const large = Buffer.alloc(30_000_000, 'x');
  behave = (_request, response) => void response.writeHead(200, { 'content-length': large.length }).end(large);
  const carrier = connections();
  let [received, paused] = [0, 0];
  let goOn: () => void = () => undefined;
  const ended = new Promise<void>((resolve, reject) => {
    carrier.dispatch(post, {
      onRequestStart: () => undefined,
      onResponseStart: () => undefined,
      onResponseData: (controller, chunk) => {
        received += chunk.length;
        if (paused > 0) return;
        controller.pause();
        paused = received;
        goOn = () => controller.resume();
      },
      onResponseEnd: () => resolve(),
      onResponseError: (_controller, error) => reject(error),
    });
  });
  await eventually(() => expect(paused).toBeGreaterThan(0));
  behave = echo;
  expect(await ask(connections())).toBe('hello');
  expect(received).toBe(paused);
  goOn();
  await ended;
  expect(received).toBe(large.length);
  expect(await ask(carrier)).toBe('hello');
});

it('a connection that the service closes is not used again', async () => {
  const carrier = connections();
  behave = (_request, response) => response.writeHead(200, { connection: 'close' }).end('last');
  expect(await ask(carrier)).toBe('last');
  behave = echo;
  expect(await ask(carrier)).toBe('hello');
  expect(new Set(ports).size).toBe(2);
});

it('a request that the service drops is not sent again', async () => {
  behave = (request) => request.socket.destroy();
  await expect(ask(connections())).rejects.toThrow();
  expect(ports).toHaveLength(1);
});

it('a silent service is given up on, and its connection with it', async () => {
  const carrier = connections();
  behave = () => undefined;
  await expect(ask(carrier)).rejects.toThrow(SilenceError);
  behave = echo;
  expect(await ask(carrier)).toBe('hello');
});

it('whoever leaves while waiting is not waited for', async () => {
  const carrier = connections();
  let answer: (() => void) | undefined;
  behave = (_request, response) => {
    answer = () => response.end('first');
  };
  const first = ask(carrier);
  const leaving = new AbortController();
  const second = ask(carrier, post, leaving.signal);
  leaving.abort();
  await expect(second).rejects.toThrow('left');
  await eventually(() => expect(answer).toBeDefined());
  answer?.();
  expect(await first).toBe('first');
  expect(ports).toHaveLength(1);
});

it('whoever leaves in the middle closes the connection', async () => {
  const carrier = connections();
  const gone: string[] = [];
  behave = (request) => void request.socket.once('close', () => gone.push('closed'));
  const leaving = new AbortController();
  const left = ask(carrier, post, leaving.signal);
  await eventually(() => expect(ports).toHaveLength(1));
  leaving.abort();
  await expect(left).rejects.toThrow('left');
  await eventually(() => expect(gone).toEqual(['closed']));
});

it.each([
  ['header', { ...post, headers: ['X-Name', 'a\r\nX-Other: b'] }],
  ['path', { ...post, path: '/ HTTP/1.1\r\n' }],
])('a line break in a %s is never sent', async (_where, request) => {
  await expect(ask(connections(), request)).rejects.toThrow('cannot be written');
  expect(ports).toEqual([]);
});

it('nobody there is an error', async () => {
  const nowhere = createHttpConnections({
    url: new URL('http://127.0.0.1:9'),
    connectionsMax: 1,
    connectTimeoutMs: 500,
    timeoutMs: 500,
  });
  await expect(Promise.all([ask(nowhere), ask(nowhere)])).rejects.toThrow('ECONNREFUSED');
  await nowhere.close();
});

it('closing lets a request finish', async () => {
  const carrier = connections();
  const answer = ask(carrier);
  await carrier.close();
  expect(await answer).toBe('hello');
  await expect(ask(carrier)).rejects.toThrow('being closed');
});
