import { createHash } from 'node:crypto';
import { custodyAssets } from '@holdfast/kernel/money';
import type { LedgerRpc } from '../../use-cases/network-ports.js';
import type { LandedTransaction } from './findings.js';
import { summed, type Leg, type OwnPlace } from './legs.js';

type OpeningDeps = {
  readonly rpc: Pick<LedgerRpc, 'held'>;
  readonly platformPlaces: ReadonlyMap<string, OwnPlace>;
  readonly usdcIssuer: string;
};

/** What the accounts of the platform held when its history begins: the owners have put it in. It has the form of a transaction. */
export function openingBalances({ rpc, platformPlaces, usdcIssuer }: OpeningDeps): () => Promise<LandedTransaction> {
  return async () => {
    const { ledger, accounts } = await rpc.held({ addresses: [...platformPlaces.keys()], contracts: [], usdcIssuer });
    const legs = [...accounts].flatMap(([address, { balances }]) =>
      custodyAssets.flatMap((asset): readonly Leg[] => {
        const [units, place] = [balances[asset] ?? 0n, platformPlaces.get(address)?.place ?? 'treasury'];
        return [
          { place, asset, units },
          { place: 'capital', asset, units: -units },
        ];
      }),
    );
    return { hash: createHash('sha256').update('opening balances').digest('hex'), ledger, legs: summed(legs) };
  };
}
