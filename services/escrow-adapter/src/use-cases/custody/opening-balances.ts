import { custodyAssets } from '@holdfast/kernel/money';
import type { LedgerRpc } from '@holdfast/ledger-network/rpc';
import type { LandedTransaction, Leg, OwnPlace } from './ports.js';
import { summed } from '../../domain/sum-legs.js';

type OpeningDeps = {
  readonly rpc: Pick<LedgerRpc, 'held'>;
  readonly platformPlaces: ReadonlyMap<string, OwnPlace>;
};

/** The SHA-256 of `opening balances`, because a transaction is known by its hash. */
const openingHash = 'ba786ef7f58bb683dd1bc72b2cd7be59d2bb2bccfb6c7e62c22307c82e0249ac';

/** What the accounts of the platform held when its history begins: the owners have put it in. It has the form of a transaction. */
export function openingBalances({ rpc, platformPlaces }: OpeningDeps): () => Promise<LandedTransaction> {
  return async () => {
    const { ledger, accounts } = await rpc.held({ addresses: [...platformPlaces.keys()], contracts: [] });
    const legs = [...accounts].flatMap(([address, { balances }]) =>
      custodyAssets.flatMap((asset): readonly Leg[] => {
        const [units, place] = [balances[asset] ?? 0n, platformPlaces.get(address)?.place ?? 'treasury'];
        return [
          { place, asset, units },
          { place: 'capital', asset, units: -units },
        ];
      }),
    );
    return { hash: openingHash, ledger, legs: summed(legs) };
  };
}
