import { routesOwnedBy } from '@holdfast/contracts/http';

const {
  receiveEscrowProviderEvent,
  getUserVersionInAdapter,
  getProviderStates,
  findWalletByAddress,
  cancelLedgerPayout,
  resolveLedgerPayout,
  getCustodyBalances,
  getSagaResolution,
  resolveSagaRun,
  ...others
} = routesOwnedBy('escrow-adapter');

/** Bound in `routes.ts`. */
export const declaredContractRoutes = {
  receiveEscrowProviderEvent,
  getUserVersionInAdapter,
  getProviderStates,
  findWalletByAddress,
  cancelLedgerPayout,
  resolveLedgerPayout,
  getCustodyBalances,
  getSagaResolution,
  resolveSagaRun,
};

/** Bound in `wallet-routes.ts`. */
export const declaredWalletRoutes = others;
