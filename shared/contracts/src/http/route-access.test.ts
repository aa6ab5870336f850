import { allRoutes } from './index.js';

describe('the declared routes', () => {
  it('have unique methods and paths', () => {
    const declared = allRoutes.map(({ method, path }) => `${method} ${path}`);
    expect(declared).toHaveLength(new Set(declared).size);
  });

  it('are public only where the specification says so', () => {
    const open = allRoutes.filter(({ auth }) => auth === 'public').map(({ path }) => path);
    expect(open.sort()).toEqual([
      '/auth/login',
      '/auth/register',
      '/config',
      '/health',
      '/health/detailed',
      '/topups/{id}/callback',
      '/webhooks/escrow-provider',
      '/webhooks/payment-provider',
    ]);
  });

  it('require read for GET, and write or support for changes', () => {
    const ofMarketplaces = allRoutes.filter(({ family }) => family !== 'account');
    const odd = ofMarketplaces.filter(({ auth, method }) => auth !== 'public' && auth !== (method === 'get' ? 'read' : 'write'));
    expect(odd.map(({ auth, method, path }) => `${auth} ${method.toUpperCase()} ${path}`).sort()).toEqual([
      'any DELETE /auth/api-keys/{id}',
      'any GET /auth/me',
      'any GET /events',
      'any POST /auth/api-keys/{id}/rotate',
      'any POST /auth/api-keys/{id}/token',
      'master GET /audit/verification',
      'master GET /marketplaces',
      'master GET /operations/ledger-proof',
      'master GET /operations/parked-messages',
      'master GET /operations/providers',
      'master GET /operations/sagas',
      'master GET /operations/sagas/{id}',
      'master GET /operations/treasury',
      'master GET /reconciliation/reports',
      'master PATCH /marketplaces/{id}',
      'master POST /auth/api-keys',
      'master POST /marketplaces',
      'master POST /operations/emergency-stop',
      'master POST /operations/parked-messages/redrive',
      'master POST /operations/sagas/{id}/redrive',
      'master POST /reconciliation/reports',
      'support GET /auth/api-keys',
      'support GET /disputes/{id}/comments',
      'support GET /reconciliation/cases',
      'support POST /disputes/{id}/assign',
      'support POST /disputes/{id}/comments',
      'support POST /disputes/{id}/resolve',
      'support POST /reconciliation/cases/{id}/resolve',
      'write GET /sandbox/faults',
    ]);
  });

  it('exist only with a switch where operators change something and where the sandbox is controlled', () => {
    const isSwitched = ({ path, method }: (typeof allRoutes)[number]): boolean =>
      path.startsWith('/sandbox/') || (path.startsWith('/operations/') && method !== 'get');
    const wrong = allRoutes.filter((route) => isSwitched(route) !== (route.onlyWith !== undefined));
    expect(wrong.map(({ name }) => name)).toEqual([]);
  });

  it('honour an Idempotency-Key wherever no state of an order or dispute protects a retry', () => {
    const writing = allRoutes.filter(({ method, family, auth }) => method !== 'get' && family === 'plain' && auth !== 'public');
    expect(writing.filter(({ idempotent }) => !idempotent).map(({ method, path }) => `${method} ${path}`)).toEqual([]);
  });

  it('require the token of an account in the account API, but to get one', () => {
    const ofAccounts = allRoutes.filter(({ family }) => family === 'account');
    const odd = ofAccounts.filter(({ auth }) => auth !== 'account').map(({ path }) => path);
    expect(odd).toEqual(['/auth/register', '/auth/login']);
    expect(allRoutes.filter(({ auth, family }) => auth === 'account' && family !== 'account')).toEqual([]);
  });
});
