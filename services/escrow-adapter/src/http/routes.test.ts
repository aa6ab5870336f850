import { routesOwnedBy } from '@holdfast/contracts/http';
import { walletRoutes, type WalletRoutesDeps } from '../wallets/http/wallet-routes.js';
import { routesOf } from './routes.js';

it('the routes of escrow-adapter are exactly those that are declared for it', () => {
  const bound = [...routesOf({} as Parameters<typeof routesOf>[0]), ...walletRoutes({} as WalletRoutesDeps)];
  expect(bound.map(({ declaration }) => declaration.name).toSorted()).toEqual(
    routesOwnedBy('escrow-adapter')
      .map(({ name }) => name)
      .toSorted(),
  );
});
