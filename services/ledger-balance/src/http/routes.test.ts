import { routesOwnedBy } from '@holdfast/contracts/http';
import type { Deps } from '../use-cases/ports.js';
import { routesOf } from './routes.js';

it('the routes of ledger-balance are exactly those that are declared for it', () => {
  const bound = routesOf({} as Deps);
  expect(bound.map(({ declaration }) => declaration.name).toSorted()).toEqual(
    routesOwnedBy('ledger-balance')
      .map(({ name }) => name)
      .toSorted(),
  );
});
