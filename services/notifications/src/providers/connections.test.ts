import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import type { RawBehaviour } from '../testing/raw-receiver.js';
import { openWebhookSending, type WebhookSending } from '../testing/webhook-sending.js';
import { AttemptFailed } from './attempt-failed.js';
import { nameResolver } from './resolve-name.js';

const attemptAt = (url: string) => ({ url, eventId: 'evt_1', body: '{}', secrets: ['whsec_c2VjcmV0'] });
const never = new AbortController().signal;
const ok = 'HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n';
const answers: RawBehaviour = { onRequest: (socket) => socket.write(ok) };

let sending: WebhookSending;
beforeAll(async () => {
  sending = await openWebhookSending();
});
afterAll(() => sending.close());

const resolveName = nameResolver({ timeoutMs: 5_000 });

describe('an address', () => {
  const unreached = { status: null, error: 'BLOCKED_ADDRESS', responseBody: '', retryAfterSeconds: null };

  it.each([
    ['127.0.0.1', '127.0.0.1'],
    ['127.1', 'a short form'],
    ['2130706433', 'decimal'],
    ['0x7f000001', 'hex'],
    ['017700000001', 'octal'],
    ['[::1]', 'IPv6'],
    ['[::ffff:127.0.0.1]', 'mapped'],
    ['[::ffff:7f00:1]', 'mapped, in hex'],
    ['localhost', 'a name'],
    ['any.localhost', 'a name'],
  ])('%s (%s) is blocked for both protocols, without a connection', async (host) => {
    const receiver = await sending.aReceiver({ ...answers, tls: sending.certificate });
    const sender = sending.aSender({ allowedNetworks: [], resolveName });
    for (const protocol of ['https', 'http']) {
      const url = `${protocol}://${host}:${receiver.port}/`;
      expect(await sender.send(attemptAt(url), never)).toMatchObject(unreached);
      expect(await sender.checkUrl(url)).toBe(protocol === 'https' ? 'blocked_address' : 'not_https');
    }
    expect(receiver.connections()).toBe(0);
  });

  it('is blocked when one of several addresses of the name is private', async () => {
    const receiver = await sending.aReceiver({ ...answers, tls: sending.certificate });
    const resolveName = () => Promise.resolve(['8.8.8.8', '2606:4700:4700::1111', '127.0.0.1']);
    const sender = sending.aSender({ resolveName, allowedNetworks: [] });
    const url = `https://hooks.example:${receiver.port}/`;
    expect(await sender.send(attemptAt(url), never)).toMatchObject(unreached);
    expect(await sender.checkUrl(url)).toBe('blocked_address');
    expect(receiver.connections()).toBe(0);
  });

  it('is blocked when the name was public at creation and is private at the attempt', async () => {
    const receiver = await sending.aReceiver({ ...answers, tls: sending.certificate });
    const answered = [['8.8.8.8'], ['127.0.0.1']];
    const sender = sending.aSender({ resolveName: () => Promise.resolve(answered.shift() ?? []), allowedNetworks: [] });
    const url = `https://hooks.example:${receiver.port}/`;
    expect(await sender.checkUrl(url)).toBe('ok');
    expect(await sender.send(attemptAt(url), never)).toMatchObject(unreached);
    expect(receiver.connections()).toBe(0);
  });

  it('is the one that was checked: a connection looks its name up once', async () => {
    const receiver = await sending.aReceiver({ ...answers, tls: sending.certificate });
    let lookups = 0;
    const resolveName = () => {
      lookups += 1;
      return Promise.resolve([lookups === 1 ? '127.0.0.1' : '10.0.0.1']);
    };
    const sender = sending.aSender({ resolveName });
    expect(await sender.send(attemptAt(`https://localhost:${receiver.port}/`), never)).toMatchObject({ status: 200 });
    expect([lookups, receiver.requests.length]).toEqual([1, 1]);
  });

  it('may be allowed, http and the names of loopback too', async () => {
    const receiver = await sending.aReceiver(answers);
    const sender = sending.aSender({ resolveName });
    for (const host of ['127.0.0.1', 'localhost', 'shop.localhost', '[::ffff:127.0.0.1]']) {
      expect(await sender.checkUrl(`http://${host}:${receiver.port}/`)).toBe('ok');
      expect(await sender.send(attemptAt(`http://${host}:${receiver.port}/`), never)).toMatchObject({ error: null });
    }
  });
});

describe('a URL', () => {
  it.each([
    ['hooks.example', 'malformed'],
    ['https://', 'malformed'],
    ['https://user@hooks.example/', 'malformed'],
    ['https://user:password@hooks.example/', 'malformed'],
    ['https://hooks.example/#', 'malformed'],
    ['https://hooks.example/#part', 'malformed'],
    ['https://[fe80::1%25eth0]/', 'malformed'],
    ['http://hooks.example/', 'not_https'],
    ['http://unknown.example/', 'not_https'],
    ['ftp://hooks.example/', 'not_https'],
    ['file:///etc/passwd', 'not_https'],
    ['https://unknown.example/', 'not_resolved'],
    ['https://169.254.169.254/latest/meta-data', 'blocked_address'],
    ['https://[fd00:ec2::254]/', 'blocked_address'],
    ['https://hooks.example/a?b=c', 'ok'],
    ['https://hooks.example:8443/', 'ok'],
    ['HTTPS://HOOKS.EXAMPLE', 'ok'],
  ])('%s is %s', async (url, finding) => {
    const resolveName = (name: string) =>
      name === 'hooks.example' ? Promise.resolve(['8.8.8.8']) : Promise.reject(new AttemptFailed('DNS'));
    expect(await sending.aSender({ resolveName, allowedNetworks: [] }).checkUrl(url)).toBe(finding);
  });
});

describe('a connection that fails', () => {
  const failed = (error: string) => ({ status: null, error, responseBody: '', retryAfterSeconds: null });

  it('DNS when the name does not resolve', async () => {
    const sender = sending.aSender({ resolveName: () => Promise.reject(new AttemptFailed('DNS')) });
    expect(await sender.send(attemptAt('https://unknown.example/'), never)).toMatchObject(failed('DNS'));
  });

  it.each(['http', 'https'])('CONNECT when %s is refused', async (protocol) => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    server.close();
    await once(server, 'close');
    expect(await sending.aSender().send(attemptAt(`${protocol}://localhost:${port}/`), never)).toMatchObject(failed('CONNECT'));
  });

  it('CONNECT when the receiver resets during the handshake', async () => {
    const { port } = await sending.aReceiver({ onConnection: (socket) => socket.resetAndDestroy() });
    expect(await sending.aSender().send(attemptAt(`https://localhost:${port}/`), never)).toMatchObject(failed('CONNECT'));
  });

  it('CONNECT when the receiver resets in place of a response', async () => {
    const { port } = await sending.aReceiver({ onRequest: (socket) => socket.resetAndDestroy() });
    expect(await sending.aSender().send(attemptAt(`http://127.0.0.1:${port}/`), never)).toMatchObject(failed('CONNECT'));
  });

  it('TLS when the receiver does not speak it', async () => {
    const { port } = await sending.aReceiver({ onConnection: (socket) => socket.write('HTTP/1.1 400 Bad Request\r\n\r\n') });
    expect(await sending.aSender().send(attemptAt(`https://localhost:${port}/`), never)).toMatchObject(failed('TLS'));
  });

  it('TLS when the certificate is for another name', async () => {
    const receiver = await sending.aReceiver({ ...answers, tls: sending.certificate });
    expect(await sending.aSender().send(attemptAt(`https://127.0.0.1:${receiver.port}/`), never)).toMatchObject(failed('TLS'));
    expect(await sending.aSender().send(attemptAt(`https://hooks.example:${receiver.port}/`), never)).toMatchObject(
      failed('TLS'),
    );
    expect(receiver.requests).toEqual([]);
  });

  it('TLS when no known authority has signed the certificate', async () => {
    const receiver = await sending.aReceiver({ ...answers, tls: sending.certificate });
    const { cert } = await anotherCertificate();
    const sender = sending.aSender({ ca: cert });
    expect(await sender.send(attemptAt(`https://localhost:${receiver.port}/`), never)).toMatchObject(failed('TLS'));
    expect(receiver.requests).toEqual([]);
  });
});

async function anotherCertificate() {
  const other = await openWebhookSending();
  await other.close();
  return other.certificate;
}
