import { routesOwnedBy } from '@holdfast/contracts/http';
import { routesOf, type RouteDeps } from './routes.js';

it('the routes of notifications are exactly those that are declared for it', () => {
  const bound = routesOf({} as RouteDeps);
  expect(bound.map(({ declaration }) => declaration.name).toSorted()).toEqual(
    routesOwnedBy('notifications')
      .map(({ name }) => name)
      .toSorted(),
  );
});
