import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { eventually } from '@holdfast/testing/eventually';
import { aServer } from './testing/test-server.js';

type TestServer = Awaited<ReturnType<typeof aServer>>;

const head =
  'POST /api/v1/users/usr_1/credit HTTP/1.1\r\nHost: x\r\nx-holdfast-caller: signed\r\nContent-Type: application/json\r\n';
const chunked = `${head}Transfer-Encoding: chunked\r\n\r\n10\r\n{"amount":"7.00"\r\n1\r\n}\r\n0\r\n\r\n`;

function credit(amount: number): string {
  const body = `{"amount":"${amount}.00"}`;
  return `${head}Content-Length: ${body.length}\r\n\r\n${body}`;
}

let server: TestServer;
let sockets: Socket[];

beforeEach(async () => {
  sockets = [];
  server = await aServer();
});
afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  await server.stop();
});

async function open() {
  const socket = connect(server.port, '127.0.0.1');
  sockets.push(socket);
  let text = '';
  socket.on('data', (chunk) => (text += chunk.toString()));
  await once(socket, 'connect');
  return { socket, statuses: () => (text.match(/HTTP\/1\.1 \d+/g) ?? []).map((line) => line.slice(-3)) };
}

function amounts(): readonly unknown[] {
  return server.received.map(({ input }) => (input as { body: { amount: string } }).body.amount);
}

describe('a connection', () => {
  it('serves one request after another', async () => {
    const { socket, statuses } = await open();
    for (const turn of [1, 2, 3]) {
      socket.write(credit(turn));
      await eventually(() => expect(statuses()).toHaveLength(turn));
    }
    expect(amounts()).toEqual(['1.00', '2.00', '3.00']);
  });

  it('responds to pipelined requests in their order', async () => {
    const { socket, statuses } = await open();
    const all = Array.from({ length: 16 }, (_, index) => index + 1);
    socket.write(all.map(credit).join(''));
    await eventually(() => expect(statuses()).toHaveLength(all.length));
    expect(amounts()).toEqual(all.map((amount) => `${amount}.00`));
  });

  it('serves a request that arrives byte by byte, and further ones', async () => {
    const { socket, statuses } = await open();
    socket.setNoDelay(true);
    for (const letter of credit(1)) {
      socket.write(letter);
      await new Promise(setImmediate);
    }
    await eventually(() => expect(statuses()).toEqual(['200']));
    socket.write(credit(2) + credit(3));
    await eventually(() => expect(statuses()).toEqual(['200', '200', '200']));
    expect(amounts()).toEqual(['1.00', '2.00', '3.00']);
  });

  it('serves chunked requests among others', async () => {
    const { socket, statuses } = await open();
    socket.write(credit(1) + credit(2) + chunked + credit(3));
    await eventually(() => expect(statuses()).toEqual(['200', '200', '200', '200']));
    socket.write(chunked);
    await eventually(() => expect(statuses()).toHaveLength(5));
    expect(amounts()).toEqual(['1.00', '2.00', '7.00', '3.00', '7.00']);
  });

  it('is closed with 400 after invalid HTTP', async () => {
    const { socket, statuses } = await open();
    socket.write(credit(1));
    await eventually(() => expect(statuses()).toEqual(['200']));
    socket.write('nonsense\r\n\r\n');
    await once(socket, 'close');
    expect(statuses()).toEqual(['200', '400']);
  });

  it('is closed without its own response to invalid HTTP while an earlier request is handled', async () => {
    let finish: (value: unknown) => void = () => undefined;
    await server.stop();
    server = await aServer({ act: () => new Promise((resolve) => (finish = resolve)) });
    const { socket, statuses } = await open();
    socket.write(credit(1));
    await eventually(() => expect(server.received).toHaveLength(1));
    socket.write('nonsense\r\n\r\n');
    await once(socket, 'close');
    finish({});
    expect(statuses()).toEqual([]);
  });

  it('serves bodies of different sizes', async () => {
    const { socket, statuses } = await open();
    const large = JSON.stringify({ amount: '9.00', metadata: { text: 'x'.repeat(100_000) } });
    socket.write(`${credit(1)}${head}Content-Length: ${large.length}\r\n\r\n${large}${credit(2)}`);
    await eventually(() => expect(statuses()).toEqual(['200', '200', '200']));
    expect(amounts()).toEqual(['1.00', '9.00', '2.00']);
  });
});

describe('a client', () => {
  it('may disconnect before its response without affecting others', async () => {
    let finish: (value: unknown) => void = () => undefined;
    await server.stop();
    server = await aServer({ act: () => new Promise((resolve) => (finish = resolve)) });
    const { socket } = await open();
    socket.write(credit(1));
    await eventually(() => expect(server.received).toHaveLength(1));
    socket.destroy();
    await once(socket, 'close');
    finish({});
    const other = await open();
    other.socket.write(credit(2));
    await eventually(() => expect(server.received).toHaveLength(2));
    finish({});
    await eventually(() => expect(other.statuses()).toEqual(['200']));
    expect(server.log.lines.filter(({ level }) => level === 'error')).toEqual([]);
  });
});
