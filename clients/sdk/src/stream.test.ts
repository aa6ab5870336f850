import type { ServerResponse } from 'node:http';
import { Holdfast, type EventStream } from './index.js';
import { refusal, startScriptedServer, type Responder, type ScriptedServer } from './testing/scripted-server.js';

let server: ScriptedServer;
let holdfast: Holdfast;

beforeEach(async () => {
  server = await startScriptedServer();
  holdfast = new Holdfast({ apiKey: 'hk_1', baseUrl: server.url, retriesMax: 1 });
});
afterEach(() => server.close());

const at = (second: number) => `2026-01-31T12:00:0${second}.123456Z`;
const event = (second: number) => {
  const envelope = { eventId: `evt_${second}`, eventType: 'order.created', occurredAt: at(second) };
  return `id: ${at(second)}\nevent: order.created\ndata: ${JSON.stringify(envelope)}\n\n`;
};
const ping = 'event: ping\ndata: {"ping":true}\n\n';
const gap = `event: gap\ndata: ${JSON.stringify({ from: at(1), to: at(4) })}\n\n`;

/** Sends this, then the connection breaks, unless it is kept. */
function streams(text: string, end: (response: ServerResponse) => void = ({ socket }) => socket?.destroy()): Responder {
  return (_received, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream', date: 'Sat, 31 Jan 2026 12:00:10 GMT' });
    response.write(`retry: 1\n\n${text}`, () => end(response));
  };
}

/** The first records of a stream. */
async function take(stream: EventStream, count: number): Promise<readonly string[]> {
  const taken: string[] = [];
  for await (const one of stream) {
    taken.push(one.eventType === 'gap' ? `gap ${one.from} ${one.to}` : one.eventId);
    if (taken.length === count) break;
  }
  return taken;
}

describe('the stream', () => {
  it('resumes after the last event when its connection breaks or is closed', async () => {
    server.reply(
      streams(`${event(1)}${ping}${event(2)}id: ${at(3)}\ndata: cut off`),
      streams(event(3), (response) => void response.end()),
      streams(event(4), () => undefined),
    );
    const breaks: string[] = [];
    const stream = holdfast.events.stream({
      since: at(0),
      types: ['order.created'],
      onDisconnect: ({ code }) => void breaks.push(code),
    });
    expect(await take(stream, 4)).toEqual(['evt_1', 'evt_2', 'evt_3', 'evt_4']);
    expect(server.received.map(({ headers }) => headers['last-event-id'])).toEqual([undefined, at(2), at(3)]);
    expect(server.received[0]?.url).toBe('/api/v1/events?types=order.created&since=2026-01-31T12%3A00%3A00.123Z');
    expect(breaks).toEqual(['CONNECTION_LOST', 'CONNECTION_LOST']);
    expect(stream.lastEventId).toBe(at(4));
    expect(stream.lagMs).toBeGreaterThan(0);
  });

  it('begins after the given event, and reports a gap', async () => {
    server.reply(streams(`${gap}${event(5)}`, () => undefined));
    const stream = holdfast.events.stream({ lastEventId: at(1), since: at(0) });
    expect(await take(stream, 2)).toEqual([`gap ${at(1)} ${at(4)}`, 'evt_5']);
    expect(server.received[0]).toMatchObject({ url: '/api/v1/events', headers: { 'last-event-id': at(1) } });
  });

  it('misses nothing if its connection breaks before the first event', async () => {
    server.reply(
      streams(ping),
      streams(event(1), () => undefined),
    );
    expect(await take(holdfast.events.stream(), 1)).toEqual(['evt_1']);
    expect(server.received.map(({ url }) => url)).toEqual([
      '/api/v1/events',
      '/api/v1/events?since=2026-01-31T12%3A00%3A09.000Z',
    ]);
  });

  it('fails at first like any call, and later only if the platform refuses', async () => {
    server.reply(refusal(503, 'SERVICE_UNAVAILABLE'), refusal(503, 'SERVICE_UNAVAILABLE'));
    await expect(take(holdfast.events.stream(), 1)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    server.reply(
      streams(event(1)),
      refusal(503, 'SERVICE_UNAVAILABLE'),
      refusal(429, 'RATE_LIMITED'),
      refusal(401, 'UNAUTHORIZED'),
    );
    await expect(take(holdfast.events.stream(), 2)).rejects.toMatchObject({ code: 'UNAUTHORIZED', status: 401 });
  });

  it('INVALID_RESPONSE from a server that has no such stream', async () => {
    server.reply((_received, response) => void response.writeHead(204).end());
    await expect(take(holdfast.events.stream(), 1)).rejects.toMatchObject({ code: 'INVALID_RESPONSE' });
  });

  it('ends with the signal, also while it waits for the next connection', async () => {
    for (const end of [() => undefined, ({ socket }: ServerResponse) => socket?.destroy()]) {
      const stopping = new AbortController();
      server.reply(streams(event(1), end));
      const seen: string[] = [];
      for await (const one of holdfast.events.stream({ signal: stopping.signal, onDisconnect: () => stopping.abort() })) {
        seen.push(one.eventType);
        if (seen.length === 1 && end.length === 0) stopping.abort();
      }
      expect(seen).toEqual(['order.created']);
    }
  });
});
