import { errorCatalogue } from '@holdfast/kernel/errors';
import { idSources } from '../shapes/index.js';
import * as http from './index.js';

const listed: readonly unknown[] = [...http.allRoutes, ...Object.values(http.internalRoutes)];

function isRoute(value: unknown): value is http.RouteDeclaration {
  return typeof value === 'object' && value !== null && 'method' in value && 'path' in value;
}

it('every declared route is in the list of its area, without which no request reaches it', () => {
  const declared = Object.values<unknown>(http).filter(isRoute);
  expect(declared.filter((route) => !listed.includes(route)).map(({ name }) => name)).toEqual([]);
  expect(declared).toHaveLength(listed.length);
});

/** Without the names of parameters: `POST /users/{}`. */
function anyParameter(route: string): string {
  return route.replaceAll(/\{\w+\}/g, '{}');
}

const routes = http.allRoutes.map(({ method, path }) => anyParameter(`${method.toUpperCase()} ${path}`));

it('the message about an unlinked payment account names the route that links one', () => {
  const [named = ''] = /POST \/[^ .]+/.exec(errorCatalogue.PAYMENT_ACCOUNT_NOT_LINKED.message) ?? [];
  expect(routes).toContain(anyParameter(named));
});

describe('the message about a malformed id', () => {
  it.each(Object.values(idSources))('names a route that exists: %s', (source) => {
    expect(routes).toContain(source);
  });

  it.each([
    ['userId', 'usr'],
    ['buyerId', 'usr'],
    ['sellerId', 'usr'],
    ['orderId', 'ord'],
    ['marketplaceId', 'mkt'],
    ['projectId', 'prj'],
    ['escrowId', 'esc'],
  ])('names the kind of %s on every route', (field, prefix) => {
    const messages = http.allRoutes
      .flatMap(({ body, query }) => [body, query])
      .flatMap((schema) => schema.safeParse({ [field]: 'ada' }).error?.issues ?? [])
      .filter(({ path }) => path[0] === field)
      .map(({ message }) => message);
    expect(messages.length).toBeGreaterThan(0);
    for (const message of messages) expect(message).toMatch(new RegExp(`^must be an id such as ${prefix}_…, which (GET|POST) /`));
  });
});
