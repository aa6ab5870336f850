import { once } from 'node:events';
import { request, type IncomingMessage, type ServerResponse } from 'node:http';
import { allRoutes } from '@holdfast/contracts/http';
import { eventually } from '@holdfast/testing/eventually';
import { aGateway, aService, masterKey } from './testing/running-gateway.js';

/** More than the connections of the other pools. */
const streamsWanted = 300;

async function setUp(overrides: Parameters<typeof aGateway>[0] = {}) {
  const service = await aService();
  const readers = new Set<ServerResponse>();
  service.state.behave = ({ url }, response) => {
    if (url !== '/api/v1/events') return void response.writeHead(200, { 'content-type': 'application/json' }).end('{"data":1}');
    readers.add(response);
    response.once('close', () => readers.delete(response));
    response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
  };
  const gateway = await aGateway({ serviceUrls: { notifications: service.url }, routes: allRoutes, ...overrides });
  const opened: IncomingMessage[] = [];
  const follow = async (): Promise<number | undefined> => {
    const headers = { authorization: `Bearer ${masterKey}` };
    const outgoing = request(`${gateway.url}/api/v1/events`, { agent: false, headers }).end();
    const [response] = (await once(outgoing, 'response')) as [IncomingMessage];
    opened.push(response.on('error', () => undefined));
    return response.statusCode;
  };
  const leave = (): void => opened.splice(0).forEach((response) => void response.destroy());
  const stop = async (): Promise<void> => {
    leave();
    await gateway.stop();
    await service.stop();
  };
  return { gateway, service, readers, opened, follow, leave, stop };
}

const followMany = (follow: () => Promise<number | undefined>, count: number) =>
  Promise.all(Array.from({ length: count }, follow));

describe('GET /events through the gateway', () => {
  it('200 for hundreds of streams that all get the event, while other routes respond as usual', async () => {
    const { gateway, readers, opened, follow, leave, stop } = await setUp();
    expect(new Set(await followMany(follow, streamsWanted))).toEqual(new Set([200]));
    expect(readers.size).toBe(streamsWanted);
    expect((await gateway.send('/api/v1/audit/logs')).status).toBe(200);
    const chunks = opened.map(async (response) => String((await once(response, 'data'))[0]));
    for (const reader of readers) reader.write('data: here\n\n');
    expect(new Set(await Promise.all(chunks))).toEqual(new Set(['data: here\n\n']));
    leave();
    await eventually(() => expect(readers.size).toBe(0));
    await stop();
  });

  it('200 and open for longer than PROXY_TIMEOUT_MS without an event', async () => {
    const { readers, opened, follow, stop } = await setUp({ proxyTimeoutMs: 50 });
    await follow();
    const ended = jest.fn();
    opened[0]?.once('close', ended).resume();
    const begunAt = performance.now();
    await eventually(() => expect(performance.now() - begunAt).toBeGreaterThan(1_500));
    expect([readers.size, ended.mock.calls.length]).toEqual([1, 0]);
    await stop();
  });

  it('ends with a reconnect delay when the gateway stops, without one in the middle of an event', async () => {
    const { gateway, service, readers, opened, follow } = await setUp();
    await followMany(follow, 2);
    const texts = opened.map(async (response) => {
      let text = '';
      for await (const chunk of response) text += String(chunk);
      return text;
    });
    const [whole, broken] = [...readers];
    whole?.write('data: whole\n\n');
    broken?.write('data: bro');
    await Promise.all(opened.map((response) => once(response, 'readable')));
    await gateway.stop();
    const received = await Promise.all(texts);
    expect(received.sort()).toEqual(['data: bro', expect.stringMatching(/^data: whole\n\nretry: \d{3,4}\n\n$/)]);
    await eventually(() => expect(readers.size).toBe(0));
    await service.stop();
  });

  it('503 SERVICE_UNAVAILABLE while EVENT_STREAMS_TOTAL_MAX are open', async () => {
    const { gateway, follow, leave, stop } = await setUp({ eventStreamsTotalMax: 2 });
    await followMany(follow, 2);
    const refused = await gateway.send('/api/v1/events');
    expect([refused.status, refused.body.error.code]).toEqual([503, 'SERVICE_UNAVAILABLE']);
    expect(refused.headers.get('retry-after')).not.toBeNull();
    leave();
    await eventually(async () => expect(await follow()).toBe(200));
    await stop();
  });
});
