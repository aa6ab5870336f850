import { allRoutes } from './index.js';

/** The inventory of the specification, and what was added to it since. */
const inventory = `
  POST /auth/api-keys
  GET /auth/api-keys
  DELETE /auth/api-keys/{id}
  POST /auth/api-keys/{id}/rotate
  POST /auth/api-keys/{id}/token
  GET /auth/me
  GET /marketplaces
  POST /marketplaces
  GET /config
  GET /health
  GET /health/detailed
  POST /users
  GET /users
  GET /users/{id}
  PATCH /users/{id}
  POST /users/{id}/payment-account/link
  GET /users/{userId}/balance
  GET /users/{userId}/balance/transactions
  POST /users/{userId}/balance/credit
  POST /users/{userId}/balance/debit
  POST /users/{userId}/balance/reserve
  POST /users/{userId}/balance/release
  POST /users/{userId}/balance/cancel-reservation
  POST /users/{userId}/balance/deduct-reserved
  POST /users/{userId}/balance/sync
  GET /users/{userId}/balance/verify
  GET /users/{userId}/wallet
  GET /users/{userId}/wallet/deposit
  GET /users/{userId}/wallet/transactions
  POST /topups
  GET /topups
  GET /topups/{id}
  POST /topups/{id}/refresh
  POST /topups/{id}/cancel
  GET /topups/{id}/callback
  POST /orders
  GET /orders
  GET /orders/{id}
  POST /orders/{id}/reserve
  POST /orders/{id}/cancel
  GET /orders/{id}/milestones
  POST /orders/{id}/milestones/{ref}/complete
  POST /orders/{id}/escrow
  POST /orders/{id}/escrow/fund
  POST /orders/{orderId}/resolution/release
  POST /orders/{orderId}/resolution/refund
  POST /orders/{orderId}/resolution/dispute
  GET /disputes
  GET /disputes/{id}
  POST /disputes/{id}/assign
  POST /disputes/{id}/resolve
  POST /disputes/{id}/comments
  GET /disputes/{id}/comments
  POST /withdrawals
  GET /withdrawals
  GET /withdrawals/{id}
  POST /withdrawals/{id}/commit
  POST /withdrawals/{id}/refresh
  POST /withdrawals/{id}/cancel
  GET /reconciliation/cases
  POST /reconciliation/cases/{id}/resolve
  GET /events
  POST /webhooks/payment-provider
  POST /webhooks/escrow-provider
  GET /audit/logs
  GET /audit/verification`;

describe('the declared routes', () => {
  it('are the inventory, no more and no less', () => {
    const wanted = inventory.trim().split(/\n\s*/).sort();
    expect(allRoutes.map(({ method, path }) => `${method.toUpperCase()} ${path}`).sort()).toEqual(wanted);
  });

  it('are public where the specification says so, and nowhere else', () => {
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

  it('need read to look, and write or support to change anything', () => {
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
      'support POST /disputes/{id}/assign',
      'support POST /disputes/{id}/comments',
      'support POST /disputes/{id}/resolve',
      'support POST /reconciliation/cases/{id}/resolve',
    ]);
  });
});
