import { connect } from 'node:net';
import { callerHeader, callerSigner } from '@holdfast/http/caller';
import { scopes, systemClock } from '@holdfast/kernel/context';
import { eventually } from '@holdfast/testing/eventually';
import { serverStartTimeoutMs } from '@holdfast/testing/servers';
import { bareReader } from '../testing/bare-reader.js';
import { anEvent } from '../testing/messages.js';
import { startNotifications, type Replica, type RunningNotifications } from '../testing/running-notifications.js';

let service: RunningNotifications;

beforeAll(async () => {
  service = await startNotifications({
    EVENTS_PING_EVERY_MS: '200',
    EVENTS_CONNECTIONS_PER_KEY_MAX: '2',
    EVENTS_UNSENT_BYTES_MAX: '65536',
  });
}, serverStartTimeoutMs);
afterAll(() => service.stopAll());

async function metric(name: string, { metrics }: Pick<Replica, 'metrics'> = service): Promise<string> {
  const text = await metrics.registry.metrics();
  return text.split('\n').find((line) => line.startsWith(name)) ?? '';
}

describe('an open stream', () => {
  it('receives pings without an id', async () => {
    const reader = service.follow({ caller: { id: 'key_pinged' } });
    await eventually(() => expect(reader.messages.length).toBeGreaterThan(1));
    expect(reader.messages[0]).toEqual({
      id: undefined,
      event: 'ping',
      data: expect.stringMatching(/^{"ping":true,"timestamp":".*Z"}$/),
    });
    reader.stop();
  });

  it('429 RATE_LIMITED when its key has the maximum of open streams', async () => {
    const caller = { id: 'key_greedy' };
    const readers = [service.follow({ caller }), service.follow({ caller })];
    await Promise.all(readers.map(({ opened }) => opened));
    const { status, code, details } = await service.get('/events', caller);
    expect({ status, code }).toEqual({ status: 429, code: 'RATE_LIMITED' });
    expect(details).toMatchObject({ limit: 2, windowSeconds: 30, retryAfter: 30 });
    readers.forEach((reader) => reader.stop());
    const next = service.follow({ caller });
    await next.opened;
    expect([next.refused(), next.connections()]).toEqual([undefined, 1]);
    next.stop();
  });

  it('is disconnected when its client stops reading, and does not block other streams', async () => {
    const marketplaceId = 'mkt_slow' as const;
    const quick = service.follow({ caller: { id: 'key_quick', marketplaceId } });
    await quick.opened;
    const socket = await readerThatStops(marketplaceId);
    const bulky = { orderId: 'ord_1', finalStatus: 'RELEASED', closedAt: 'x'.repeat(100_000) };
    const isDisconnected = async () => (await metric('holdfast_event_stream_disconnected_total{reason="slow"')).endsWith(' 1');
    // The buffers of the operating system take the first megabytes.
    for (let published = 10; published <= 100 && !(await isDisconnected()); published += 10) {
      await service.broker.publish(Array.from({ length: 10 }, () => anEvent({ marketplaceId, payload: bulky })));
      expect(await quick.has(published)).toHaveLength(published);
    }
    await eventually(async () => expect(await isDisconnected()).toBe(true));
    socket.destroy();
  });
});

async function readerThatStops(marketplaceId: `mkt_${string}`) {
  const { hostname, port } = new URL(service.url);
  const signer = callerSigner({ secret: service.database.internalSecret, clock: systemClock() });
  const caller = { type: 'api_key', id: 'key_slow', marketplaceId, scopes } as const;
  const socket = connect(Number(port), hostname);
  socket.write(`GET /api/v1/events HTTP/1.1\r\nHost: x\r\n${callerHeader}: ${signer.sign({ caller }, 'notifications')}\r\n\r\n`);
  await new Promise((resolve) => socket.once('data', resolve));
  socket.pause();
  return socket;
}

describe('a process that stops', () => {
  it('ends every stream itself before it has stopped, without errors', async () => {
    const other = await service.startReplica();
    const secret = service.database.internalSecret;
    const readers = Array.from({ length: 20 }, (_, index) =>
      bareReader({ url: other.url, secret, marketplaceId: `mkt_${String(index)}` }),
    );
    await Promise.all(readers.map((reader) => reader.connect()));
    await other.stop();
    expect(await metric('holdfast_event_stream_disconnected_total{reason="stopping"', other)).toMatch(/ 20$/);
    expect(other.log.lines.at(-1)).toMatchObject({ fact: 'stopped', fields: { unfinished: [] } });
    expect(other.log.lines.filter(({ level }) => level === 'error')).toEqual([]);
  });
});
