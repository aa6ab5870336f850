import { routesOwnedBy } from '@holdfast/contracts/http';
import type { Deps } from '../use-cases/ports.js';
import { routesOf } from './routes.js';

it('the routes of orders are exactly those that are declared for it', () => {
  const bound = routesOf({} as Deps);
  expect(bound.map(({ declaration }) => declaration.name).toSorted()).toEqual(
    routesOwnedBy('orders')
      .map(({ name }) => name)
      .toSorted(),
  );
});
