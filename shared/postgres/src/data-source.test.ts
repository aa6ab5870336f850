import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { silentLog } from '@holdfast/testing/log';
import { createDataSource } from './data-source.js';
import { openDatabase } from './open-database.js';

/** A message of the Postgres protocol: type, length, content. */
function serverMessage(type: string, content: Buffer): Buffer {
  const header = Buffer.alloc(5);
  header.write(type);
  header.writeInt32BE(content.length + 4, 1);
  return Buffer.concat([header, content]);
}

const authenticated = serverMessage('R', Buffer.alloc(4));
const ready = serverMessage('Z', Buffer.from('I'));
const ended = serverMessage('E', Buffer.from('SFATAL\0C57P01\0Mterminating connection\0\0'));

/** Runs `work` with the URL of a server that treats every connection like this. */
async function withServer(onConnection: (socket: Socket) => void, work: (url: string) => Promise<void>): Promise<void> {
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    sockets.push(socket);
    socket.on('error', () => undefined);
    onConnection(socket);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port.toString() : '';
  try {
    await work(`postgres://role:secret@127.0.0.1:${port}/database`);
  } finally {
    server.close();
    for (const socket of sockets) socket.destroy();
    await once(server, 'close');
  }
}

describe('a new connection', () => {
  it('fails without crashing the process when the server closes it at once', async () => {
    const endAtOnce = (socket: Socket): void => {
      socket.once('data', () => socket.end(Buffer.concat([authenticated, ready, ended])));
    };
    await withServer(endAtOnce, async (url) => {
      const limits = { statementTimeoutMs: 1_000, connectTimeoutMs: 1_000, poolMax: 1 };
      await expect(createDataSource({ url, service: 'orders', log: silentLog, ...limits }).initialize()).rejects.toThrow();
    });
  });

  it('fails as unavailable, and so is tried again at start, when the server does not answer in time', async () => {
    const answerNothing = (): void => undefined;
    await withServer(answerNothing, async (adminUrl) => {
      const options = { service: 'orders', internalSecret: 'secret', migrations: [], log: silentLog, connectTimeoutMs: 100 };
      await expect(openDatabase({ adminUrl, ...options })).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    });
  });
});
