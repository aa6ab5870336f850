import type { ControlledProvider, SpendingCapView } from '@holdfast/contracts/http';
import { bindRoutes, type BoundRoute } from '@holdfast/http/server';
import type { EmergencyStop } from '@holdfast/intents/provider-controls';
import type { ProviderStatesReader } from '../providers/provider-states.js';
import { describeTreasury, type DescribeTreasuryDeps } from '../use-cases/treasury/describe-treasury.js';
import { otherRoutes } from './sandbox-routes.js';

const { getControlsOfAdapter, getTreasury, ...adapterRoutes } = otherRoutes;

/** Bound in `routes.ts` and `wallet-routes.ts`. */
export { adapterRoutes };

type DescribeCalls = () => Pick<ControlledProvider, 'name' | 'breaker' | 'budget'>;

export type OperatorRoutesDeps = {
  readonly emergencyStop: Pick<EmergencyStop, 'isStopped'>;
  readonly providers: Pick<ProviderStatesReader, 'states'>;
  readonly describeCalls: { readonly escrowProvider: DescribeCalls; readonly ledgerNetwork: DescribeCalls };
  readonly describeCaps: () => Promise<SpendingCapView[]>;
  readonly treasury: DescribeTreasuryDeps;
};

/** Declared route → use case: what operators see. */
export function operatorRoutes(deps: OperatorRoutesDeps): readonly BoundRoute[] {
  return bindRoutes(
    { getControlsOfAdapter, getTreasury },
    {
      getControlsOfAdapter: async () => {
        const { emergencyStop, providers, describeCalls, describeCaps } = deps;
        const [isStopped, caps, states] = await Promise.all([emergencyStop.isStopped(), describeCaps(), providers.states()]);
        const names = ['escrowProvider', 'ledgerNetwork'] as const;
        return { isStopped, caps, providers: names.map((name) => ({ ...describeCalls[name](), ...states[name] })) };
      },
      getTreasury: () => describeTreasury(deps.treasury),
    },
  );
}
