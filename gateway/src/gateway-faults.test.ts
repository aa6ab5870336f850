import { once } from 'node:events';
import type { Socket } from 'node:net';
import { eventually } from '@holdfast/testing/eventually';
import { aGateway, aService } from './testing/running-gateway.js';

type Gateway = Awaited<ReturnType<typeof aGateway>>;
type Service = Awaited<ReturnType<typeof aService>>;

const creditPath = '/api/v1/users/usr_1/credit';
const credit = { method: 'POST', body: '{"amount":"1.00"}', headers: { 'content-type': 'application/json' } };

let service: Service;
let gateway: Gateway;
let usually: Service['state']['behave'];

beforeAll(async () => {
  service = await aService();
  usually = service.state.behave;
  gateway = await aGateway({
    serviceUrls: { 'ledger-balance': service.url, orders: 'http://127.0.0.1:9' },
  });
});
afterEach(() => {
  service.state.behave = usually;
});
afterAll(async () => {
  await gateway.stop();
  await service.stop();
});

describe('a service that does not respond', () => {
  it('503 SERVICE_UNAVAILABLE with Retry-After when it is down', async () => {
    const { status, body, headers } = await gateway.send('/api/v1/orders');
    expect({ status, code: body.error.code, retryAfter: headers.get('retry-after') }).toEqual({
      status: 503,
      code: 'SERVICE_UNAVAILABLE',
      retryAfter: '1',
    });
  });

  it('503 SERVICE_UNAVAILABLE when it does not exist', async () => {
    const gatewayWithoutServices = await aGateway({ serviceUrls: {} });
    expect((await gatewayWithoutServices.send(creditPath, credit)).body.error.code).toBe('SERVICE_UNAVAILABLE');
    await gatewayWithoutServices.stop();
  });

  it('503 SERVICE_UNAVAILABLE when it dies before it responds', async () => {
    service.state.behave = (request) => request.socket.destroy();
    expect((await gateway.send(creditPath, credit)).body.error.code).toBe('SERVICE_UNAVAILABLE');
  });

  it('200 when it closes a connection before it responds to a read, which is sent again; a change is never sent again', async () => {
    const balancePath = '/api/v1/users/usr_1/balance';
    const countOf = (method: string) => service.received.filter((request) => request.method === method).length;
    const before = { reads: countOf('GET'), changes: countOf('POST') };
    let failuresLeft = 1;
    service.state.behave = (request, response) => {
      failuresLeft -= 1;
      if (failuresLeft < 0) usually(request, response);
      else request.socket.destroy();
    };
    expect((await gateway.send(balancePath)).status).toBe(200);
    failuresLeft = 1;
    const refused = await gateway.send(creditPath, credit);
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1']);
    expect([countOf('GET') - before.reads, countOf('POST') - before.changes]).toEqual([2, 1]);
  });

  it('200 for a change although every idle connection was closed, as a service does that stops', async () => {
    const sockets = new Set<Socket>();
    service.state.behave = (request, response) => {
      sockets.add(request.socket);
      usually(request, response);
    };
    for (let round = 0; round < 3; round += 1) {
      const responses = await Promise.all(Array.from({ length: 5 }, () => gateway.send(creditPath, credit)));
      expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
      const closed = [...sockets].filter(({ destroyed }) => !destroyed).map((socket) => once(socket, 'close'));
      for (const socket of sockets) socket.end();
      await Promise.all(closed);
    }
  });

  it('504 PROVIDER_TIMEOUT when it hangs', async () => {
    service.state.behave = () => undefined;
    const { status, body } = await gateway.send(creditPath, credit);
    expect({ status, code: body.error.code }).toEqual({ status: 504, code: 'PROVIDER_TIMEOUT' });
  });

  it('closes the connection when it dies during its response, and serves the next request', async () => {
    service.state.behave = (_request, response) =>
      void response.writeHead(200, { 'content-length': '100' }).write('{', () => response.destroy());
    await expect(gateway.send(creditPath, credit)).rejects.toThrow();
    service.state.behave = usually;
    expect((await gateway.send(creditPath, credit)).status).toBe(200);
  });

  it('200 once it is available again', async () => {
    const first = await aService();
    const own = await aGateway({ serviceUrls: { 'ledger-balance': first.url } });
    expect((await own.send(creditPath, credit)).status).toBe(200);
    await first.stop();
    expect((await own.send(creditPath, credit)).status).toBe(503);
    const second = await aService(first.port);
    expect((await own.send(creditPath, credit)).status).toBe(200);
    await own.stop();
    await second.stop();
  });
});

describe('the log of an outage', () => {
  it('has one line without a stack when it begins, one when it ends, and none per refused request', async () => {
    const first = await aService();
    const own = await aGateway({ serviceUrls: { 'ledger-balance': first.url } });
    expect((await own.send(creditPath, credit)).status).toBe(200);
    await first.stop();
    for (let count = 0; count < 5; count += 1) expect((await own.send(creditPath, credit)).status).toBe(503);
    const second = await aService(first.port);
    expect((await own.send(creditPath, credit)).status).toBe(200);
    const lines = own.log.lines.filter(({ fact }) => fact.startsWith('service is') || fact === 'request refused');
    expect(lines.map(({ level, fact, fields }) => ({ level, fact, fields }))).toEqual([
      { level: 'warn', fact: 'service is not reachable', fields: { service: 'ledger-balance', reason: expect.any(String) } },
      { level: 'info', fact: 'service is reachable again', fields: { service: 'ledger-balance', requestsFailed: 5 } },
    ]);
    await own.stop();
    await second.stop();
  });
});

describe('stopping', () => {
  it('finishes running requests and closes their connections', async () => {
    let finish: () => void = () => undefined;
    service.state.behave = (_request, response) => (finish = () => response.end('{}'));
    const stopping = await aGateway({ serviceUrls: { 'ledger-balance': service.url } });
    const before = service.received.length;
    const running = stopping.send(creditPath, credit);
    await eventually(() => expect(service.received.length).toBeGreaterThan(before));
    const stopped = stopping.stop();
    finish();
    expect((await running).status).toBe(200);
    await stopped;
  });
});
