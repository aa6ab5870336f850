import { z } from 'zod';
import { route, type HttpMethod } from '@holdfast/contracts/http';
import { noBody, noParams, noQuery } from '@holdfast/contracts/shapes';
import { silentLog } from '@holdfast/testing/log';
import {
  checkRequest,
  createExpressApp,
  declaredRoutes,
  errorHandler,
  refuseUnknownPath,
  startListener,
  type Listener,
  type Middleware,
} from './index.js';
import { sendRaw } from './testing/test-server.js';

function declare(method: HttpMethod, path: string, target: string) {
  const declaration = route({
    name: target, method, path, service: 'orders', summary: target, auth: 'public', idempotent: false, family: 'plain',
    params: noParams, malformedParams: 'NOT_FOUND', query: noQuery, body: noBody, success: { status: 200, data: z.unknown() }, errors: [],
  }); // prettier-ignore
  const handler: Middleware = ({ params }, response) => void response.end(JSON.stringify({ target, params }));
  return { declaration, handler };
}

const routes = [
  declare('get', '/orders', 'list'),
  declare('post', '/orders', 'create'),
  declare('get', '/orders/{id}', 'get'),
  declare('post', '/orders/export', 'export'),
  declare('get', '/orders/newest', 'newest'),
  declare('post', '/orders/{id}/milestones/{ref}/complete', 'complete'),
  declare('post', '/orders/export/now', 'now'),
];

let listener: Listener;
beforeAll(async () => {
  const app = createExpressApp();
  app.use(checkRequest, declaredRoutes(routes), refuseUnknownPath, errorHandler(silentLog));
  listener = await startListener(app, { host: '127.0.0.1', port: 0 });
});
afterAll(() => listener.stop());

/** Sends the path without normalising it. */
async function request(method: string, path: string) {
  const received = await sendRaw(listener.port, [`${method} ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`]);
  const [head = '', text = ''] = received.split('\r\n\r\n');
  return { status: Number(head.slice(9, 12)), allow: /^Allow: (.*)$/m.exec(head)?.[1], text };
}

describe('declaredRoutes', () => {
  it.each([
    ['GET', '/api/v1/orders', 'list', {}],
    ['POST', '/api/v1/orders', 'create', {}],
    ['GET', '/api/v1/orders?id=1', 'list', {}],
    ['GET', '/api/v1/orders/ord_1', 'get', { id: 'ord_1' }],
    ['GET', '/api/v1/orders/newest', 'newest', {}],
    ['POST', '/api/v1/orders/ord_1/milestones/m%201/complete', 'complete', { id: 'ord_1', ref: 'm 1' }],
    ['POST', '/api/v1/orders/export/milestones/m1/complete', 'complete', { id: 'export', ref: 'm1' }],
    ['GET', '/api/v1/orders/a%2Fb', 'get', { id: 'a/b' }],
    ['GET', '/api/v1/orders/%E0%A4%A', 'get', { id: '%E0%A4%A' }],
    ['GET', '/api/v1/orders/%?id=%', 'get', { id: '%' }],
    ['GET', '/api/v1/orders/__proto__', 'get', { id: '__proto__' }],
  ])('%s %s matches %s', async (method, path, target, params) => {
    const { status, text } = await request(method, path);
    expect([status, JSON.parse(text)]).toEqual([200, { target, params }]);
  });

  it.each([
    '/', '/api/v1', '/api/v1/', '/api/v1/order', '/api/v1/orders/', '/api/v1/orders//', '/api/v1orders', '/api/v2/orders', '/orders',
    '/api/v1/orders/a/b', '/API/v1/orders', '/api/v1/Orders', 'http://host/api/v1/orders', '/api/v1/../v1/orders', '//api/v1/orders',
    '/api/v1/orders#a',
  ])('404 NOT_FOUND at %j', async (path) => {
    const { status, text } = await request('GET', path);
    expect([status, JSON.parse(text).error.code]).toEqual([404, 'NOT_FOUND']);
  }); // prettier-ignore

  it('405 METHOD_NOT_ALLOWED with the methods of a known path', async () => {
    expect(await request('DELETE', '/api/v1/orders')).toMatchObject({ status: 405, allow: 'GET, HEAD, POST' });
    expect(await request('OPTIONS', '/api/v1/orders/ord_1')).toMatchObject({ status: 405, allow: 'GET, HEAD' });
    expect(await request('GET', '/api/v1/orders/export')).toMatchObject({ status: 405, allow: 'POST' });
  });

  it('200 for HEAD wherever GET is declared, without a body', async () => {
    expect(await request('HEAD', '/api/v1/orders/ord_1')).toEqual({ status: 200, allow: undefined, text: '' });
    expect((await request('HEAD', '/api/v1/orders/export')).status).toBe(405);
  });

  it('throws for two routes with the same method and path', () => {
    const twice = [declare('get', '/a/{id}', 'one'), declare('get', '/a/{name}', 'other')];
    expect(() => declaredRoutes(twice)).toThrow('two routes are declared for GET /api/v1/a/{name}');
  });
});
