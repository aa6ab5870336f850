import { initEscrow } from '../sagas/index.js';
import { allRoutes, timeoutFactors } from './index.js';

describe('a route that may respond with PROVIDER_TIMEOUT', () => {
  const routes = allRoutes.filter(({ errors }) => errors.includes('PROVIDER_TIMEOUT'));

  it.each(routes.map((route) => [route.name, route] as const))('%s declares what it waits for', (_name, { waitsFor }) => {
    expect(waitsFor).toBeDefined();
  });
});

describe('POST /escrow/init', () => {
  it('may wait as many times the time limit of a saga as it has sagas', () => {
    expect(timeoutFactors.sagas).toBe(initEscrow.sagas.length);
  });
});
