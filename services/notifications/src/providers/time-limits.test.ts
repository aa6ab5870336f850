import { eventually } from '@holdfast/testing/eventually';
import type { RawBehaviour } from '../testing/raw-receiver.js';
import { openWebhookSending, type WebhookSending } from '../testing/webhook-sending.js';

const attemptAt = (url: string) => ({ url, eventId: 'evt_1', body: '{}', secrets: ['whsec_c2VjcmV0'] });
const never = new AbortController().signal;
const ok = 'HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n';
const answers: RawBehaviour = { onRequest: (socket) => socket.write(ok) };

let sending: WebhookSending;
beforeAll(async () => {
  sending = await openWebhookSending();
});
afterAll(() => sending.close());

describe('time limits', () => {
  const silent: RawBehaviour = {};
  const short = { attemptMs: 300, connectMs: 150 };
  const timedOut = { status: null, error: 'TIMEOUT', responseBody: '' };

  it('TIMEOUT when the connection takes longer than its part of the attempt', async () => {
    const { port } = await sending.aReceiver(silent);
    const sender = sending.aSender({ limits: { attemptMs: 60_000, connectMs: 150 } });
    const outcome = await sender.send(attemptAt(`https://localhost:${port}/`), never);
    expect(outcome).toMatchObject(timedOut);
    expect(outcome.durationMs).toBeLessThan(30_000);
  });

  it('TIMEOUT when the attempt ends before the connection', async () => {
    const { port } = await sending.aReceiver(silent);
    const sender = sending.aSender({ limits: { attemptMs: 100, connectMs: 60_000 } });
    expect(await sender.send(attemptAt(`https://localhost:${port}/`), never)).toMatchObject(timedOut);
  });

  it('TIMEOUT when the response is late; the connection is closed', async () => {
    const receiver = await sending.aReceiver(silent);
    const outcome = await sending.aSender({ limits: short }).send(attemptAt(`http://127.0.0.1:${receiver.port}/`), never);
    expect(outcome).toMatchObject(timedOut);
    expect(outcome.durationMs).toBeGreaterThanOrEqual(short.attemptMs - 5);
    await eventually(() => expect(receiver.openConnections()).toBe(0));
    expect(receiver.requests).toHaveLength(1);
  });

  it('TIMEOUT when the headers drip', async () => {
    const receiver = await sending.aReceiver({ onRequest: dripping(`HTTP/1.1 200 OK\r\nX-Drip: ${'x'.repeat(2_000)}`) });
    const outcome = await sending.aSender({ limits: short }).send(attemptAt(`http://127.0.0.1:${receiver.port}/`), never);
    expect(outcome).toMatchObject(timedOut);
    await eventually(() => expect(receiver.openConnections()).toBe(0));
  });

  it('a dripping body ends with the attempt, and its status counts', async () => {
    const receiver = await sending.aReceiver({
      onRequest: (socket, request) => {
        socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2000\r\n\r\n');
        dripping('x'.repeat(2_000))(socket, request);
      },
    });
    const outcome = await sending.aSender({ limits: short }).send(attemptAt(`http://127.0.0.1:${receiver.port}/`), never);
    expect(outcome).toMatchObject({ status: 200, error: null, responseBody: expect.stringMatching(/^x+$/) });
    await eventually(() => expect(receiver.openConnections()).toBe(0));
  });

  it('receivers that do not respond delay no other, not even at the same address', async () => {
    const receiver = await sending.aReceiver({
      onRequest: (socket, request) => (request.startsWith('POST /quick ') ? socket.write(ok) : undefined),
    });
    const sender = sending.aSender({ limits: { attemptMs: 60_000, connectMs: 60_000 } });
    const stop = new AbortController();
    const slow = Array.from({ length: 100 }, () => sender.send(attemptAt(`http://127.0.0.1:${receiver.port}/slow`), stop.signal));
    await eventually(() => expect(receiver.requests).toHaveLength(100));
    expect(await sender.send(attemptAt(`http://127.0.0.1:${receiver.port}/quick`), never)).toMatchObject({ status: 200 });
    stop.abort(new Error('stopping'));
    const ended = await Promise.allSettled(slow);
    expect(ended.every(({ status }) => status === 'rejected')).toBe(true);
  });
});

describe('stopping', () => {
  it('rejects an attempt in flight with the reason, because nothing is known about the receiver', async () => {
    const receiver = await sending.aReceiver({});
    const stop = new AbortController();
    const sent = sending.aSender().send(attemptAt(`http://127.0.0.1:${receiver.port}/`), stop.signal);
    await eventually(() => expect(receiver.requests).toHaveLength(1));
    stop.abort(new Error('stopping'));
    await expect(sent).rejects.toThrow('stopping');
    await eventually(() => expect(receiver.openConnections()).toBe(0));
  });

  it('sends nothing once it has begun, also when a connection was being made', async () => {
    const receiver = await sending.aReceiver(answers);
    const stop = new AbortController();
    let resolve: (addresses: readonly string[]) => void = () => undefined;
    const looksUp = new Promise<readonly string[]>((done) => (resolve = done));
    const sender = sending.aSender({ resolveName: () => looksUp });
    const sent = sender.send(attemptAt(`http://hooks.localhost:${receiver.port}/`), stop.signal);
    stop.abort(new Error('stopping'));
    await expect(sent).rejects.toThrow('stopping');
    resolve(['127.0.0.1']);
    await eventually(() => expect(receiver.connections()).toBe(1));
    await sender.close();
    await eventually(() => expect(receiver.openConnections()).toBe(0));
    expect(receiver.requests).toEqual([]);
    await expect(sender.send(attemptAt('http://127.0.0.1/'), stop.signal)).rejects.toThrow('stopping');
  });
});

/** Writes a byte every few milliseconds. */
function dripping(text: string): NonNullable<RawBehaviour['onRequest']> {
  return (socket) => {
    let sent = 0;
    const timer = setInterval(() => socket.write(text.charAt(sent++)), 5);
    socket.on('close', () => clearInterval(timer));
  };
}
