import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { systemClock } from '@holdfast/kernel/context';
import { verify } from '@holdfast/sdk';
import { openCursor } from './cursor.js';
import { deliver } from './deliver.js';
import { secretOf, signedHeaders } from './sign.js';

const clock = systemClock();
const secret = secretOf('hk_master_1');

describe('the signing secret of listen', () => {
  it('is the same for the same key and differs for others', () => {
    expect(secretOf('hk_master_1')).toBe(secret);
    expect(secretOf('hk_master_2')).not.toBe(secret);
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  });

  it('signs what the SDK verifies', async () => {
    const body = JSON.stringify({ eventId: 'evt_1', eventType: 'order.created' });
    const headers = signedHeaders(secret, { id: 'evt_1', body, atMs: clock.epochMs() });
    expect(await verify(body, headers, secret)).toMatchObject({ eventId: 'evt_1' });
    await expect(verify(`${body} `, headers, secret)).rejects.toMatchObject({ code: 'WEBHOOK_SIGNATURE_INVALID' });
  });
});

describe('a delivery', () => {
  it('is repeated until the receiver accepts it', async () => {
    const receiver = await aReceiver([500, 302, 204]);
    const reasons: string[] = [];
    const delivery = await deliver(
      { url: receiver.url, secret, attemptsMax: undefined },
      { id: 'evt_1', body: '{}' },
      { clock, signal: new AbortController().signal, onRetry: (reason) => void reasons.push(reason) },
    );
    expect(delivery).toMatchObject({ isDelivered: true, status: 204, attempts: 3 });
    expect(reasons).toEqual(['the receiver responded with 500', 'the receiver responded with 302']);
    expect(receiver.requests.map((headers) => headers['webhook-id'])).toEqual(['evt_1', 'evt_1', 'evt_1']);
    receiver.stop();
  });

  it('is given up after the given number of refusals', async () => {
    const receiver = await aReceiver([500]);
    const given = { url: receiver.url, secret, attemptsMax: 1 };
    const delivery = await deliver(
      given,
      { id: 'evt_1', body: '{}' },
      { clock, signal: new AbortController().signal, onRetry: () => undefined },
    );
    expect(delivery).toMatchObject({ isDelivered: false, status: 500, attempts: 1 });
    receiver.stop();
  });

  it('waits for a receiver that is down until it is stopped', async () => {
    const stopping = new AbortController();
    const reasons: string[] = [];
    const delivery = deliver(
      { url: 'http://127.0.0.1:1/', secret, attemptsMax: 1 },
      { id: 'evt_1', body: '{}' },
      {
        clock,
        signal: stopping.signal,
        onRetry: (reason) => {
          reasons.push(reason);
          if (reasons.length === 2) stopping.abort();
        },
      },
    );
    await expect(delivery).rejects.toMatchObject({ name: 'AbortError' });
    expect(reasons).toHaveLength(2);
  });
});

describe('the cursor of a listener', () => {
  it('is kept for each listener', () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'holdfast-listen-'));
    const cursor = openCursor(['http://a', 'key', 'http://b'], folder);
    expect(cursor.read()).toBeUndefined();
    cursor.write('2026-11-18T12:00:00.000001Z');
    expect(openCursor(['http://a', 'key', 'http://b'], folder).read()).toBe('2026-11-18T12:00:00.000001Z');
    expect(openCursor(['http://a', 'key', 'http://c'], folder).read()).toBeUndefined();
    rmSync(folder, { recursive: true });
  });
});

async function aReceiver(statuses: readonly number[]) {
  const requests: IncomingHttpHeaders[] = [];
  const server = createServer((request, response) => {
    const status = statuses[requests.length] ?? 500;
    requests.push(request.headers);
    request.resume().on('end', () => response.writeHead(status).end());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const stop = (): void => {
    server.closeAllConnections();
    server.close();
  };
  return { url: `http://127.0.0.1:${port}/hooks`, requests, stop };
}
