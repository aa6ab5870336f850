import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { eventually } from '@holdfast/testing/eventually';
import { handleOneRequestAtATime, waitingRequestsMax } from './one-request-at-a-time.js';

/** A server whose responses end when the test ends them. */
async function aServer() {
  const started: { readonly path: string; readonly response: ServerResponse }[] = [];
  const server = createServer();
  let parsed = 0;
  server.on('request', () => (parsed += 1));
  handleOneRequestAtATime(server, (request, response) => void started.push({ path: request.url ?? '', response }));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { server, started, paths: () => started.map(({ path }) => path), parsed: () => parsed };
}

const request = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`;

let parts: Awaited<ReturnType<typeof aServer>>;
let sockets: Socket[];

beforeEach(async () => {
  parts = await aServer();
  sockets = [];
});
afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  await stop(parts.server);
});

async function stop(server: Server): Promise<void> {
  server.closeAllConnections();
  server.close();
  await once(server, 'close');
}

async function open() {
  const socket = connect((parts.server.address() as AddressInfo).port, '127.0.0.1').on('error', () => undefined);
  sockets.push(socket);
  let text = '';
  socket.on('data', (chunk) => (text += chunk.toString()));
  await once(socket, 'connect');
  return { socket, statuses: () => (text.match(/HTTP\/1\.1 \d+/g) ?? []).map((line) => line.slice(-3)), text: () => text };
}

describe('pipelined requests', () => {
  it('start when the response before them was sent, in their order', async () => {
    const { started, paths } = parts;
    const { socket, statuses } = await open();
    socket.write(request('/1') + request('/2') + request('/3'));
    await eventually(() => expect(parts.parsed()).toBe(3));
    expect(paths()).toEqual(['/1']);
    for (const sent of [1, 2, 3]) {
      started.at(-1)?.response.end();
      await eventually(() => expect(statuses()).toHaveLength(sent));
    }
    expect(paths()).toEqual(['/1', '/2', '/3']);
  });

  it('leave other connections their turn', async () => {
    const { started, paths } = parts;
    const [busy, other] = [await open(), await open()];
    busy.socket.write(request('/1') + request('/2'));
    await eventually(() => expect(parts.parsed()).toBe(2));
    other.socket.write(request('/other'));
    await eventually(() => expect(paths()).toEqual(['/1', '/other']));
    for (const { response } of started) response.end();
    await eventually(() => expect(paths()).toEqual(['/1', '/other', '/2']));
  });

  it('are never started when the client has disconnected', async () => {
    const { started, paths } = parts;
    const { socket } = await open();
    socket.write(request('/1') + request('/2'));
    await eventually(() => expect(parts.parsed()).toBe(2));
    const closed = once(started[0]?.response ?? socket, 'close');
    socket.destroy();
    await closed;
    const other = await open();
    other.socket.write(request('/other'));
    await eventually(() => expect(paths()).toEqual(['/1', '/other']));
  });

  it('are never started behind a response that closes the connection', async () => {
    const { started, paths } = parts;
    const { socket, statuses } = await open();
    socket.write(request('/1') + request('/2'));
    await eventually(() => expect(parts.parsed()).toBe(2));
    started[0]?.response.setHeader('Connection', 'close').end();
    await once(socket, 'close');
    expect([statuses(), paths()]).toEqual([['200'], ['/1']]);
  });
});

describe('too many pipelined requests', () => {
  const flood = Array.from({ length: 100_000 }, (_, index) => request(`/${index}`)).join('');

  it.each([
    ['/', '"error":{"code":"RATE_LIMITED"'],
    ['/balances/', '"code":429,"type":"error","ok":false'],
  ])('429 for the first one that waits at %s, and the connection is closed', async (path, expected) => {
    const { started, paths } = parts;
    const { socket, statuses, text } = await open();
    socket.write(Array.from({ length: waitingRequestsMax + 2 }, (_, index) => request(`${path}${index}`)).join(''));
    await eventually(() => expect(parts.parsed()).toBe(waitingRequestsMax + 2));
    started[0]?.response.end();
    await once(socket, 'close');
    expect([statuses(), paths()]).toEqual([['200', '429'], [`${path}0`]]);
    expect(text()).toMatch(/Connection: close/);
    expect(text()).toContain(expected);
  });

  it('are read no further, and other connections have their turn', async () => {
    const { started, paths } = parts;
    const { socket } = await open();
    const closed = new Promise((resolve) => socket.on('close', resolve));
    socket.write(flood);
    await eventually(() => expect(parts.parsed()).toBeGreaterThan(waitingRequestsMax));
    const other = await open();
    other.socket.write(request('/other'));
    await eventually(() => expect(paths()).toEqual(['/0', '/other']));
    for (const { response } of started) response.end();
    await closed;
    await eventually(() => expect(other.statuses()).toEqual(['200']));
    expect(paths()).toEqual(['/0', '/other']);
    expect(parts.parsed()).toBeLessThan(20_000);
  });

  it(`200 for each of ${waitingRequestsMax + 1} at once`, async () => {
    const { started } = parts;
    const { socket, statuses } = await open();
    socket.write(Array.from({ length: waitingRequestsMax + 1 }, (_, index) => request(`/${index}`)).join(''));
    for (let count = 1; count <= waitingRequestsMax + 1; count += 1) {
      await eventually(() => expect(started.length).toBe(count));
      started.at(-1)?.response.end();
    }
    await eventually(() => expect(statuses()).toEqual(Array.from({ length: waitingRequestsMax + 1 }, () => '200')));
  });
});
