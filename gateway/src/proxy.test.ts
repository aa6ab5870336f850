import { once } from 'node:events';
import { Agent, createServer, request, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { isAppError } from '@holdfast/kernel/errors';
import { ClientDisconnectedError } from '@holdfast/http/server';
import { eventually } from '@holdfast/testing/eventually';
import { silentLog } from '@holdfast/testing/log';
import { createMetrics } from '@holdfast/observability';
import { createMeasurement } from './metrics.js';
import { createProxy, type OutgoingRequest, type PoolName, type ProxyLimits } from './proxy.js';
import { aService } from './testing/running-gateway.js';

const narrow: ProxyLimits = {
  standard: { runningMax: 2, queueMax: 2, queueTimeoutMs: 60_000 },
  waiting: { runningMax: 2, queueMax: 1, queueTimeoutMs: 60_000 },
};

type Served = Awaited<ReturnType<typeof setUp>>;
let served: Served;
afterEach(() => served.stop());

/** A service, the proxy, and a server in front of it that forwards every request. */
async function setUp({ limits = narrow, timeoutMs = 60_000 }: { limits?: ProxyLimits; timeoutMs?: number } = {}) {
  const service = await aService();
  const measurement = createMeasurement(createMetrics({ service: 'gateway', processMetrics: false }));
  const proxy = createProxy({ serviceUrls: { orders: service.url }, timeoutMs, limits, log: silentLog, measurement });
  const failures: unknown[] = [];
  const front = createServer((incoming, response) => {
    const outgoing = anOutgoing('standard', { method: incoming.method ?? '', url: incoming.url ?? '' });
    response.setHeader('X-Own', 'own');
    proxy.forward(outgoing, response).catch((error: unknown) => {
      failures.push(error);
      response.destroy();
    });
  });
  front.listen(0, '127.0.0.1');
  await once(front, 'listening');
  const { port } = front.address() as AddressInfo;
  const stop = async (): Promise<void> => {
    front.closeAllConnections();
    front.close();
    await service.stop();
    await proxy.close();
  };
  return { service, proxy, failures, url: `http://127.0.0.1:${port}/`, stop };
}

function anOutgoing(pool: PoolName, overrides: Partial<OutgoingRequest> = {}): OutgoingRequest {
  return { service: 'orders', pool, method: 'GET', url: '/', headers: [], body: Buffer.alloc(0), timeoutFactor: 1, ...overrides };
}

/** Holds every POST open until the test ends it. */
function reservePosts({ service }: Served): ServerResponse[] {
  const respond = service.state.behave;
  const held: ServerResponse[] = [];
  service.state.behave = (incoming, response) => {
    if (incoming.method === 'POST') held.push(response);
    else respond(incoming, response);
  };
  return held;
}

const codeOf = (error: unknown): unknown => (isAppError(error) ? error.code : error);

describe('connection pools', () => {
  const aPost = anOutgoing('waiting', { method: 'POST' });

  it('503 SERVICE_UNAVAILABLE when the queue of waiting requests is full, while standard requests are served', async () => {
    served = await setUp();
    const { proxy } = served;
    const held = reservePosts(served);
    const posts = [proxy.fetch(aPost), proxy.fetch(aPost), proxy.fetch(aPost)];
    await eventually(() => expect(held.length).toBe(2));

    expect(await proxy.fetch(aPost).catch(codeOf)).toBe('SERVICE_UNAVAILABLE');
    expect(await proxy.fetch(anOutgoing('standard'))).toMatchObject({ status: 200 });

    held.forEach((response) => response.end());
    await eventually(() => expect(held.length).toBe(3));
    held.at(2)?.end();
    expect((await Promise.all(posts)).map(({ status }) => status)).toEqual([200, 200, 200]);
  });

  it('503 SERVICE_UNAVAILABLE when no connection became free in time, and nothing is sent', async () => {
    served = await setUp({ limits: { ...narrow, waiting: { runningMax: 1, queueMax: 1, queueTimeoutMs: 50 } } });
    const { proxy } = served;
    const held = reservePosts(served);
    const first = proxy.fetch(aPost);
    expect(await proxy.fetch(aPost).catch(codeOf)).toBe('SERVICE_UNAVAILABLE');
    await eventually(() => expect(held.length).toBe(1));
    held[0]?.end();
    expect(await first).toMatchObject({ status: 200 });
    expect(await Promise.all([proxy.fetch(anOutgoing('standard')), proxy.fetch(anOutgoing('waiting'))])).toHaveLength(2);
    expect(held.length).toBe(1);
  });

  it('504 PROVIDER_TIMEOUT when the service does not respond in time, counted from when it was sent', async () => {
    served = await setUp({ timeoutMs: 100 });
    reservePosts(served);
    expect(await served.proxy.fetch(aPost).catch(codeOf)).toBe('PROVIDER_TIMEOUT');
  });

  it('200 later than that for a request that may take several times as long', async () => {
    served = await setUp({ timeoutMs: 100 });
    const held = reservePosts(served);
    const patient = served.proxy.fetch({ ...aPost, timeoutFactor: 600 });
    await eventually(() => expect(held.length).toBe(1));
    expect(await served.proxy.fetch(aPost).catch(codeOf)).toBe('PROVIDER_TIMEOUT');
    held[0]?.end();
    expect(await patient).toMatchObject({ status: 200 });
  });
});

describe('a forwarded response', () => {
  it('has the headers of gateway and service, and leaves the connection of the client open', async () => {
    served = await setUp();
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const ports = new Set<number | undefined>();
    for (let round = 0; round < 3; round += 1) {
      const [response] = (await once(request(served.url, { agent }).end(), 'response')) as [IncomingMessage];
      expect(response.headers).toMatchObject({ 'content-type': 'application/json', 'x-own': 'own' });
      ports.add(response.socket.localPort);
      await once(response.resume(), 'end');
    }
    expect(ports.size).toBe(1);
    agent.destroy();
  });

  it('arrives completely, however slowly the client reads', async () => {
    served = await setUp();
    const large = Buffer.alloc(30_000_000, 'x');
    served.service.state.behave = (_request, response) => response.writeHead(200).end(large);
    const [response] = (await once(request(served.url).end(), 'response')) as [IncomingMessage];
    const other = await fetch(served.url, { method: 'HEAD' });
    expect(other.status).toBe(200);
    let bytes = 0;
    for await (const chunk of response) bytes += (chunk as Buffer).length;
    expect(bytes).toBe(large.length);
  });

  it('is aborted with its request when the client disconnects', async () => {
    served = await setUp();
    let closed = 0;
    const { failures, service, url } = served;
    service.state.behave = (incoming) => void incoming.socket.once('close', () => (closed += 1));
    const leaving = request(url).on('error', () => undefined);
    leaving.end();
    await eventually(() => expect(service.received).toHaveLength(1));
    leaving.destroy();
    await eventually(() => expect(closed).toBe(1));
    await eventually(() => expect(failures).toEqual([expect.any(ClientDisconnectedError)]));
  });

  it('closes the connection of the client when the service dies during its response', async () => {
    served = await setUp();
    served.service.state.behave = (_request, response) => void response.writeHead(200).write('{', () => response.destroy());
    const [response] = (await once(request(served.url).end(), 'response')) as [IncomingMessage];
    await expect(response.toArray()).rejects.toThrow('aborted');
    expect(served.failures).toEqual([]);
  });
});
