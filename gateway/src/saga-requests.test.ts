import type { ServerResponse } from 'node:http';
import { allRoutes } from '@holdfast/contracts/http';
import { eventually } from '@holdfast/testing/eventually';
import { aGateway, aService } from './testing/running-gateway.js';

const order = '/api/v1/orders/ord_01JB2M3N4P5Q6R7S8T9V0W1X2Y';
const sagaRequests = 140;

let service: Awaited<ReturnType<typeof aService>>;
let gateway: Awaited<ReturnType<typeof aGateway>>;

beforeEach(async () => {
  service = await aService();
  gateway = await aGateway({ serviceUrls: { orders: service.url }, routes: allRoutes, proxyTimeoutMs: 60_000 });
});
afterEach(async () => {
  await service.stop();
  await gateway.stop();
});

describe('GET /orders/{id} through the gateway', () => {
  it(`200 while ${sagaRequests} requests wait for their sagas`, async () => {
    const respond = service.state.behave;
    const held: ServerResponse[] = [];
    service.state.behave = (request, response) => {
      if (request.method === 'POST') held.push(response);
      else respond(request, response);
    };
    const waiting = Array.from({ length: sagaRequests }, () => gateway.send(`${order}/reserve`, { method: 'POST' }));
    const outcomes = Promise.allSettled(waiting);
    await eventually(() => expect(held.length).toBe(sagaRequests));

    expect((await gateway.send(order)).status).toBe(200);

    expect(held.some(({ writableEnded }) => writableEnded)).toBe(false);
    for (const response of held) response.end('{}');
    const statuses = (await outcomes).map((outcome) => (outcome.status === 'fulfilled' ? outcome.value.status : outcome.reason));
    expect(new Set(statuses)).toEqual(new Set([200]));
  });
});
