import { once } from 'node:events';
import { createServer, type Server } from 'node:net';
import { choosePort, urlTo } from './choose-port.js';

const host = '127.0.0.1';
const setting = 'PORT';
let holder: Server;
let taken: number;

beforeEach(async () => {
  holder = createServer().listen(0, host);
  await once(holder, 'listening');
  const address = holder.address();
  taken = typeof address === 'object' && address !== null ? address.port : 0;
});
afterEach(() => holder.close());

describe('the port', () => {
  it('is any free one for 0', async () => {
    expect(await choosePort({ host, port: 0, isGiven: true, setting })).toBeGreaterThan(1_023);
  });

  it('is refused when the setting names a port that is taken', async () => {
    await expect(choosePort({ host, port: taken, isGiven: true, setting })).rejects.toThrow(
      `Port ${taken} is taken by another program`,
    );
  });

  it('names the setting that chooses another port', async () => {
    await expect(choosePort({ host, port: taken, isGiven: true, setting: 'SANDBOX_PORT' })).rejects.toThrow(
      'for example with SANDBOX_PORT=9000 npm start',
    );
  });

  it('is the next free one when a default port is taken', async () => {
    expect(await choosePort({ host, port: taken, isGiven: false, setting })).toBeGreaterThan(taken);
  });

  it('is refused on an address that this machine does not have', async () => {
    await expect(choosePort({ host: '192.0.2.1', port: 9_000, isGiven: false, setting })).rejects.toThrow(
      'Port 9000 cannot be used (EADDRNOTAVAIL): stop what uses it, or choose another one, for example with PORT=9001',
    );
  });
});

describe('the URL of a listener', () => {
  it.each([
    ['0.0.0.0', 'http://127.0.0.1:80'],
    ['::', 'http://127.0.0.1:80'],
    ['::1', 'http://[::1]:80'],
    ['localhost', 'http://localhost:80'],
  ])('on %s can be opened by a client', (address, url) => {
    expect(urlTo(address, 80)).toBe(url);
  });
});
