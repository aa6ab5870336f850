import { setImmediate as nextTurn } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { Webhook } from 'standardwebhooks';
import type { Clock } from '@holdfast/kernel/context';
import { manualClock } from '@holdfast/testing/clock';
import { eventually } from '@holdfast/testing/eventually';
import type { RawBehaviour } from '../testing/raw-receiver.js';
import { openWebhookSending, type WebhookSending } from '../testing/webhook-sending.js';
import type { SenderOptions } from './webhook-sender.js';

const [secret, otherSecret] = ['a', 'b'].map((text) => `whsec_${Buffer.from(text.repeat(32)).toString('base64')}`);
const attempt = { eventId: 'evt_1', body: '{"eventType":"order.created","é":1}', secrets: [secret ?? ''] };
const never = new AbortController().signal;

let sending: WebhookSending;
beforeAll(async () => {
  sending = await openWebhookSending();
});
afterAll(() => sending.close());

function responding(text: string): RawBehaviour {
  return { onRequest: (socket) => socket.write(text) };
}

const ok = 'HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\ndone';

/** The outcome of one attempt over plain HTTP. */
async function outcomeOf(behaviour: RawBehaviour, options: Partial<SenderOptions> = {}) {
  const { port } = await sending.aReceiver(behaviour);
  return sending.aSender(options).send({ ...attempt, url: `http://127.0.0.1:${port}/hook` }, never);
}

describe('a request', () => {
  it('is a POST with the body as given, signed for Standard Webhooks, over TLS', async () => {
    const receiver = await sending.aReceiver({ ...responding(ok), tls: sending.certificate });
    const outcome = await sending.aSender().send({ ...attempt, url: `https://localhost:${receiver.port}/hook?shop=1` }, never);
    expect(outcome).toEqual({
      durationMs: expect.any(Number),
      status: 200,
      error: null,
      responseBody: 'done',
      retryAfterSeconds: null,
    });
    const { line, headers, body } = parsed(receiver.requests[0] ?? '');
    expect(line).toBe('POST /hook?shop=1 HTTP/1.1');
    expect(body).toBe(attempt.body);
    expect(headers).toMatchObject({
      'content-type': 'application/json',
      'user-agent': 'Holdfast-Webhooks/1.2.3',
      'webhook-id': 'evt_1',
    });
    expect(new Webhook(secret ?? '').verify(body, headers)).toEqual(JSON.parse(attempt.body));
    expect(() => new Webhook(otherSecret ?? '').verify(body, headers)).toThrow('No matching signature');
  });

  it('has one signature for each secret, all of the time of the attempt', async () => {
    const receiver = await sending.aReceiver(responding(ok));
    const clock = manualClock('2026-11-18T09:00:00.999Z');
    const both = [secret ?? '', otherSecret ?? ''];
    await sending.aSender({ clock }).send({ ...attempt, url: `http://127.0.0.1:${receiver.port}/`, secrets: both }, never);
    const { headers, body } = parsed(receiver.requests[0] ?? '');
    expect(headers['webhook-timestamp']).toBe(String(Date.parse('2026-11-18T09:00:00Z') / 1_000));
    const at = new Date('2026-11-18T09:00:00Z');
    expect(headers['webhook-signature']).toBe(both.map((one) => new Webhook(one).sign('evt_1', at, body)).join(' '));
  });

  it('uses the connection of the request before', async () => {
    const receiver = await sending.aReceiver({ ...responding(ok), tls: sending.certificate });
    const sender = sending.aSender();
    for (const eventId of ['evt_1', 'evt_2']) {
      await sender.send({ ...attempt, eventId, url: `https://localhost:${receiver.port}/` }, never);
      await nextTurn(); // undici frees a connection in the next turn of the event loop
    }
    expect([receiver.requests.length, receiver.connections()]).toEqual([2, 1]);
  });

  it('does not use a proxy that the environment names', async () => {
    const proxy = await sending.aReceiver(responding(ok));
    const names = ['HTTP_PROXY', 'HTTPS_PROXY', 'http_proxy', 'https_proxy', 'ALL_PROXY'];
    const { env } = process;
    for (const name of names) env[name] = `http://127.0.0.1:${proxy.port}`;
    try {
      expect(await outcomeOf(responding(ok))).toMatchObject({ status: 200, error: null });
    } finally {
      for (const name of names) Reflect.deleteProperty(env, name);
    }
    expect(proxy.connections()).toBe(0);
  });
});

describe('the status', () => {
  it.each([200, 201, 204, 299])('%d is a success', async (status) => {
    expect(await outcomeOf(responding(`HTTP/1.1 ${status} X\r\nContent-Length: 0\r\n\r\n`))).toMatchObject({
      status,
      error: null,
    });
  });

  it.each([400, 404, 410, 500, 503])('%d is a failure', async (status) => {
    const text = `HTTP/1.1 ${status} X\r\nContent-Length: 2\r\n\r\nno`;
    expect(await outcomeOf(responding(text))).toMatchObject({ status, error: 'STATUS', responseBody: 'no' });
  });

  it.each([301, 302, 307, 308])('%d is a failure: nothing is sent to the new address', async (status) => {
    const target = await sending.aReceiver(responding(ok));
    const location = `Location: http://127.0.0.1:${target.port}/\r\n`;
    const outcome = await outcomeOf(responding(`HTTP/1.1 ${status} X\r\n${location}Content-Length: 0\r\n\r\n`));
    expect(outcome).toMatchObject({ status, error: 'STATUS' });
    expect(target.connections()).toBe(0);
  });

  it.each([
    ['7', 7],
    ['Wed, 18 Nov 2026 09:01:30 GMT', 90],
    ['Wed, 18 Nov 2026 08:00:00 GMT', 0],
    ['soon', null],
    ['-1', null],
    ['1e3', null],
    ['2026-11-18', null],
  ])('429 with Retry-After: %s asks for %j seconds', async (text, seconds) => {
    const clock: Clock = manualClock('2026-11-18T09:00:00.000Z');
    const outcome = await outcomeOf(responding(`HTTP/1.1 429 X\r\nRetry-After: ${text}\r\nContent-Length: 0\r\n\r\n`), { clock });
    expect(outcome).toMatchObject({ status: 429, error: 'STATUS', retryAfterSeconds: seconds });
  });
});

describe('the response', () => {
  it('is cut at 4 KiB, the rest is not read and the connection is closed', async () => {
    let sentBytes = 0;
    const kibibyte = 'x'.repeat(1_024);
    const receiver = await sending.aReceiver({
      onRequest: (socket) => {
        socket.write('HTTP/1.1 200 OK\r\nContent-Length: 1000000000\r\n\r\n');
        const fill = (): void => {
          while (!socket.destroyed && socket.write(kibibyte)) sentBytes += kibibyte.length;
        };
        socket.on('drain', fill);
        fill();
      },
    });
    const outcome = await sending.aSender().send({ ...attempt, url: `http://127.0.0.1:${receiver.port}/` }, never);
    expect(outcome).toMatchObject({ status: 200, error: null, responseBody: 'x'.repeat(4_096) });
    await eventually(() => expect(receiver.openConnections()).toBe(0));
    expect(sentBytes).toBeLessThan(50_000_000);
  });

  it('is not decompressed', async () => {
    const bomb = gzipSync(Buffer.alloc(30_000_000));
    const head = `HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: ${bomb.length}\r\n\r\n`;
    const { status, responseBody } = await outcomeOf({
      onRequest: (socket) => socket.write(Buffer.concat([Buffer.from(head), bomb])),
    });
    expect(status).toBe(200);
    expect(responseBody.slice(0, 2)).toBe('\u001f\ufffd'); // the first two bytes of gzip, as text
    expect(responseBody.length).toBeLessThanOrEqual(4_096);
  });

  it('becomes text that Postgres can store: no half character at the cut, no U+0000', async () => {
    const body = `\0${'x'.repeat(4_094)}é`;
    const text = `HTTP/1.1 500 X\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
    expect((await outcomeOf(responding(text))).responseBody).toBe(`\ufffd${'x'.repeat(4_094)}`);
  });

  it('may have 15 KiB of headers', async () => {
    const headers = `X-Long: ${'x'.repeat(15_000)}\r\n`;
    expect(await outcomeOf(responding(ok.replace('\r\n', `\r\n${headers}`)))).toMatchObject({ error: null });
  });

  it.each([
    ['has 20 KiB of headers', `HTTP/1.1 200 OK\r\nX-Long: ${'x'.repeat(20_000)}\r\n\r\n`],
    ['is not HTTP', 'SSH-2.0-OpenSSH_9.2p1\r\n'],
    ['is cut within its headers', null],
    ['has two lengths', 'HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nxx'],
    ['switches protocols', 'HTTP/1.1 101 X\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n'],
  ])('RESPONSE when it %s', async (_, text) => {
    const behaviour = text === null ? { onRequest: endingWith('HTTP/1.1 200 OK\r\nX-') } : responding(text);
    expect(await outcomeOf(behaviour)).toMatchObject({ status: null, error: 'RESPONSE', responseBody: '' });
  });

  it('RESPONSE when the receiver closes without one', async () => {
    expect(await outcomeOf({ onRequest: endingWith('') })).toMatchObject({ status: null, error: 'RESPONSE' });
  });

  it('counts by its status when its body breaks off', async () => {
    const begin = 'HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nbeg';
    const broken = { status: 200, error: null, responseBody: 'beg' };
    expect(await outcomeOf({ onRequest: endingWith(begin) })).toMatchObject(broken);
    const resetLater: RawBehaviour = {
      onRequest: (socket) => socket.write(begin, () => setTimeout(() => socket.resetAndDestroy(), 50)),
    };
    expect(await outcomeOf(resetLater)).toMatchObject(broken);
  });
});

function endingWith(text: string): NonNullable<RawBehaviour['onRequest']> {
  return (socket) => socket.end(text);
}

function parsed(request: string) {
  const [head = '', body = ''] = request.split('\r\n\r\n');
  const [line = '', ...rest] = head.split('\r\n');
  const headers = Object.fromEntries(
    rest.map((header) => header.split(/: (.*)/s)).map(([name = '', value = '']) => [name, value]),
  );
  return { line, headers, body };
}
