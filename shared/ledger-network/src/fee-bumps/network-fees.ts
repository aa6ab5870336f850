import { performance } from 'node:perf_hooks';
import { settlesWithin } from '@holdfast/kernel/async';
import { bidUnitsMin } from './fee-bid.js';
import type { InclusionFees, LedgerRpc } from '../rpc/index.js';

export type NetworkFees = {
  /** The network's current fees; the last known ones if it does not return any, at first its minimum. */
  readonly now: () => Promise<InclusionFees>;
};

/** About one ledger. */
const readEveryMs = 5_000;
/** A submission does not wait longer for them. */
const waitMs = 1_000;

export function createNetworkFees({ rpc }: { readonly rpc: Pick<LedgerRpc, 'inclusionFees'> }): NetworkFees {
  let known: InclusionFees = { ofCalls: bidUnitsMin, ofOthers: bidUnitsMin };
  let readAtMs = Number.NEGATIVE_INFINITY;
  let reading: Promise<void> = Promise.resolve();
  const read = async (): Promise<void> => {
    known = await rpc.inclusionFees().catch(() => known);
  };
  return {
    now: async () => {
      if (performance.now() - readAtMs >= readEveryMs) {
        readAtMs = performance.now();
        reading = read();
      }
      await settlesWithin(reading, waitMs);
      return known;
    },
  };
}
