import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { promisify } from 'node:util';
import { freePort } from './index.js';

describe('a free port', () => {
  it('can be listened on, and is none that the kernel gives to connections', async () => {
    const port = await freePort();
    const server = createServer().listen({ port, host: '127.0.0.1' });
    await once(server, 'listening');
    server.close();
    expect(port).toBeGreaterThanOrEqual(20_000);
    expect(port).toBeLessThan(32_000);
  });

  it('is given to one caller only, also when many want one at the same time', async () => {
    const ports = await Promise.all(Array.from({ length: 200 }, () => freePort()));
    expect(new Set(ports).size).toBe(ports.length);
  });

  it('is not one that a server listens on', async () => {
    const held = await freePort();
    const server = createServer().listen({ port: held, host: '127.0.0.1' });
    await once(server, 'listening');
    const ports = await Promise.all(Array.from({ length: 50 }, () => freePort()));
    server.close();
    expect(ports).not.toContain(held);
  });

  it('cannot be claimed by another process before this one ends', async () => {
    const port = await freePort();
    const claim = `
      const socket = require('node:dgram').createSocket('udp4');
      socket.on('error', (error) => { process.stdout.write(error.code); socket.close(); });
      socket.bind({ port: ${port}, address: '127.0.0.1' }, () => socket.close());`;
    const { stdout } = await promisify(execFile)(process.execPath, ['-e', claim]);
    expect(stdout).toBe('EADDRINUSE');
  });

  it('is refused on an address that this machine does not have', async () => {
    await expect(freePort('192.0.2.1')).rejects.toThrow('EADDRNOTAVAIL');
  });
});
