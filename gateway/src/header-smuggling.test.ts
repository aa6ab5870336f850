import { connect } from 'node:net';
import { aGateway, aService, masterKey, sendRaw } from './testing/running-gateway.js';

type Gateway = Awaited<ReturnType<typeof aGateway>>;
type Service = Awaited<ReturnType<typeof aService>>;

let service: Service;
let gateway: Gateway;
const bodyLimits = { bytesMax: 256 * 1024, drainBytesMax: 1024 * 1024, timeoutMs: 200 };

beforeAll(async () => {
  service = await aService();
  gateway = await aGateway({ serviceUrls: { 'ledger-balance': service.url }, bodyLimits });
});
afterAll(async () => {
  await gateway.stop();
  await service.stop();
});

const credential = `Authorization: Bearer ${masterKey}\r\n`;
const credit = `POST /api/v1/users/usr_1/credit HTTP/1.1\r\nHost: x\r\n${credential}Content-Type: application/json\r\n`;
const read = `GET /api/v1/users/usr_1/balance HTTP/1.1\r\nHost: x\r\n`;

describe('malformed requests', () => {
  it.each([
    ['both Content-Length and Transfer-Encoding', `${credit}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`],
    ['two lengths', `${credit}Content-Length: 2\r\nContent-Length: 3\r\nConnection: close\r\n\r\n{}`],
    ['a malformed length', `${credit}Content-Length: +2\r\nConnection: close\r\n\r\n{}`],
    ['a line break within a header', `${read}${credential}X-A: a\rX-B: b\r\nConnection: close\r\n\r\n`],
    ['a NUL within a header', `${read}${credential}X-A: a\0b\r\nConnection: close\r\n\r\n`],
    ['a folded header', `${read}Authorization:\r\n Bearer\r\n ${masterKey}\r\nConnection: close\r\n\r\n`],
    ['a space before the colon', `${read}Authorization : Bearer ${masterKey}\r\nConnection: close\r\n\r\n`],
    ['malformed chunks', `${credit}Transfer-Encoding: chunked\r\n\r\nnonsense\r\n`],
    ['no HTTP at all', 'hello\r\n\r\n'],
  ])('400 or 401 for %s, without a request to any service', async (_case, text) => {
    const before = service.received.length;
    expect(await sendRaw(gateway.port, text)).toMatch(/^HTTP\/1\.1 40[01] /);
    expect(service.received).toHaveLength(before);
  });

  it('431 HEADERS_TOO_LARGE for more than 1,000 headers, at whatever position credential, marketplace and length are', async () => {
    const many = 'a:\r\n'.repeat(1_100);
    const before = service.received.length;
    for (const text of [
      `${read}${many}${credential}\r\n`,
      `${read}${credential}${many}X-Marketplace-ID: mkt_other\r\n\r\n`,
      `POST /api/v1/users/usr_1/credit HTTP/1.1\r\nHost: x\r\n${credential}${many}Content-Length: 2\r\n\r\n{}`,
    ])
      expect(await sendRaw(gateway.port, text.replace('Host: x', 'Host: x\r\nConnection: close'))).toMatch(
        /^HTTP\/1\.1 431 [^]*HEADERS_TOO_LARGE/,
      );
    expect(service.received).toHaveLength(before);
  });

  it('431 HEADERS_TOO_LARGE for headers of more than 16 KiB', async () => {
    const received = await sendRaw(gateway.port, `${read}${`X-A: ${'a'.repeat(1_000)}\r\n`.repeat(20)}\r\n`);
    expect(received).toMatch(/^HTTP\/1\.1 431 [^]*HEADERS_TOO_LARGE/);
  });

  it('200 for 1,000 headers, and reads all of them', async () => {
    const many = 'a:\r\n'.repeat(997);
    const text = `${read}Connection: close\r\n${many}${credential}\r\n`;
    expect(await sendRaw(gateway.port, text)).toMatch(/^HTTP\/1\.1 200 /);
  });

  it('400 VALIDATION_ERROR for a body that does not arrive in time', async () => {
    const received = await sendRaw(gateway.port, `${credit}Content-Length: 10\r\n\r\n{}`);
    expect(received).toMatch(/^HTTP\/1\.1 400 [^]*VALIDATION_ERROR[^]*did not arrive/);
  });

  it('forwards nothing when the client disconnects during its body, and serves the next request', async () => {
    const before = service.received.length;
    await new Promise<void>((resolve) => {
      const socket = connect(gateway.port, '127.0.0.1', () =>
        socket.write(`${credit}Content-Length: 10\r\n\r\n{}`, () => socket.destroy()),
      );
      socket.on('close', () => resolve());
    });
    expect((await gateway.send('/api/v1/users/usr_1/balance')).status).toBe(200);
    expect(service.received).toHaveLength(before + 1);
  });

  it('does not parse the rest of a refused body as a request', async () => {
    const hidden = `${read}${credential}\r\n`;
    const before = service.received.length;
    const received = await sendRaw(gateway.port, `${credit}Content-Length: 300000\r\n\r\n${hidden}`);
    expect(received.match(/HTTP\/1\.1/g)).toHaveLength(1);
    expect(service.received).toHaveLength(before);
  });
});

describe('a path', () => {
  it.each([
    ['/api/v1/users/usr_1%2Fbalance', 404],
    ['/api/v1/users/usr_1/..%2Fusr_2/balance', 404],
    ['/api/v1/users/../users/usr_1/balance', 404],
    ['/api/v1//users/usr_1/balance', 404],
    ['/api/v1/users/usr_1/balance/', 404],
    ['/API/v1/users/usr_1/balance', 404],
    ['http://other.example/api/v1/users/usr_1/balance', 404],
    ['/api/v1/users/a%2Fb/balance', 200],
  ])('%s is not normalised: %d', async (path, status) => {
    const received = await sendRaw(gateway.port, `GET ${path} HTTP/1.1\r\nHost: x\r\n${credential}Connection: close\r\n\r\n`);
    expect(received).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    if (status === 200) expect(service.received.at(-1)?.url).toBe(path);
  });
});
