import { createRouteTable } from './index.js';

const table = createRouteTable([
  { method: 'get', path: '/orders', target: 'list' },
  { method: 'post', path: '/orders', target: 'create' },
  { method: 'get', path: '/orders/{id}', target: 'get' },
  { method: 'get', path: '/orders/export', target: 'export' },
  { method: 'post', path: '/orders/{id}/milestones/{ref}/complete', target: 'complete' },
  { method: 'post', path: '/orders/export/now', target: 'now' },
]);

describe('finding a route', () => {
  it.each([
    ['GET', '/api/v1/orders', 'list', {}],
    ['POST', '/api/v1/orders', 'create', {}],
    ['GET', '/api/v1/orders/ord_1', 'get', { id: 'ord_1' }],
    ['GET', '/api/v1/orders/export', 'export', {}],
    ['POST', '/api/v1/orders/ord_1/milestones/m%201/complete', 'complete', { id: 'ord_1', ref: 'm 1' }],
    ['POST', '/api/v1/orders/export/milestones/m1/complete', 'complete', { id: 'export', ref: 'm1' }],
    ['GET', '/api/v1/orders/%E0%A4%A', 'get', { id: '%E0%A4%A' }],
    ['GET', '/api/v1/orders/__proto__', 'get', { id: '__proto__' }],
  ])('%s %s leads to %s', (method, path, target, params) => {
    expect(table(method, path)).toEqual({ kind: 'found', target, params });
  });

  it.each([
    '/', '', '/api/v1', '/api/v1/', '/api/v1/order', '/api/v1/orders/', '/api/v1/orders//', '/api/v1orders', '/api/v2/orders', '/orders',
    '/api/v1/orders/a/b', '/API/v1/orders', 'http://host/api/v1/orders', '*', '/api/v1/../v1/orders',
  ])('knows nothing at %j', (path) => {
    expect(table('GET', path)).toEqual({ kind: 'unknown' });
  }); // prettier-ignore

  it('names the methods that a known path has', () => {
    expect(table('DELETE', '/api/v1/orders')).toEqual({ kind: 'other-method', allowedMethods: ['GET', 'POST'] });
    expect(table('HEAD', '/api/v1/orders/ord_1')).toEqual({ kind: 'other-method', allowedMethods: ['GET'] });
  });

  it('refuses two routes at one address', () => {
    const twice = [
      { method: 'get', path: '/a/{id}', target: 1 } as const,
      { method: 'get', path: '/a/{name}', target: 2 } as const,
    ];
    expect(() => createRouteTable(twice)).toThrow('two routes are declared for GET /a/{name}');
  });
});
