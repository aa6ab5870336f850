import { allRoutes } from './index.js';

describe('the declared routes', () => {
  it('have unique methods and paths', () => {
    const declared = allRoutes.map(({ method, path }) => `${method} ${path}`);
    expect(declared).toHaveLength(new Set(declared).size);
  });

  it('are public only where the specification says so', () => {
    const open = allRoutes.filter(({ auth }) => auth === 'public').map(({ path }) => path);
    expect(open.sort()).toEqual([
      '/config',
      '/health',
      '/health/detailed',
      '/topups/{id}/callback',
      '/webhooks/escrow-provider',
      '/webhooks/payment-provider',
    ]);
  });

  it('require read for GET, and write or support for changes', () => {
    const odd = allRoutes.filter(({ auth, method }) => auth !== 'public' && auth !== (method === 'get' ? 'read' : 'write'));
    expect(odd.map(({ auth, method, path }) => `${auth} ${method.toUpperCase()} ${path}`).sort()).toEqual([
      'any DELETE /auth/api-keys/{id}',
      'any GET /auth/me',
      'any GET /events',
      'any POST /auth/api-keys/{id}/rotate',
      'any POST /auth/api-keys/{id}/token',
      'master GET /audit/verification',
      'master GET /marketplaces',
      'master POST /auth/api-keys',
      'master POST /marketplaces',
      'support GET /auth/api-keys',
      'support GET /disputes/{id}/comments',
      'support GET /reconciliation/cases',
      'support GET /reconciliation/reports',
      'support POST /disputes/{id}/assign',
      'support POST /disputes/{id}/comments',
      'support POST /disputes/{id}/resolve',
      'support POST /reconciliation/cases/{id}/resolve',
      'support POST /reconciliation/reports',
    ]);
  });
});
