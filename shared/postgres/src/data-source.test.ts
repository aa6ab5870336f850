import { once } from 'node:events';
import { createServer } from 'node:net';
import { silentLog } from '@holdfast/testing/log';
import { createDataSource } from './data-source.js';

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

describe('a new connection', () => {
  it('fails without crashing the process when the server closes it at once', async () => {
    const server = createServer((socket) => {
      socket.on('error', () => undefined);
      socket.once('data', () => socket.end(Buffer.concat([authenticated, ready, ended])));
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    const port = typeof address === 'object' && address !== null ? address.port.toString() : '';
    const url = `postgres://role:secret@127.0.0.1:${port}/database`;
    const limits = { statementTimeoutMs: 1_000, connectTimeoutMs: 1_000, poolMax: 1 };
    await expect(createDataSource({ url, service: 'orders', log: silentLog, ...limits }).initialize()).rejects.toThrow();
    server.close();
    await once(server, 'close');
  });
});
