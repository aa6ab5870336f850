import type { LeaseHandle, Leases } from '@holdfast/intents/leases';
import type { FreeChannels, TakeFree, TreasuryStore } from '../../use-cases/treasury/ports.js';

export type FreeChannelsDeps = {
  readonly leases: Leases;
  readonly store: Pick<TreasuryStore, 'findOpen'>;
  readonly signal: AbortSignal;
};

/** A channel whose lease is not free by then is left out. */
const leaseWaitMs = 1_000;

export function freeChannels({ leases, store, signal }: FreeChannelsDeps): FreeChannels {
  const leaseOf = (address: string) => leases.acquire([address], signal, leaseWaitMs).catch(() => undefined);
  return async (work) => {
    const taken: LeaseHandle[] = [];
    const takeFree: TakeFree = async (addresses) => {
      const leased = (await Promise.all(addresses.map(leaseOf))).filter((lease) => lease !== undefined);
      taken.push(...leased);
      // The outcome of a payment may be unknown after its run has released the lease.
      const open = await Promise.all(leased.map(({ name }) => store.findOpen(name)));
      return leased.map(({ name }) => name).filter((_, index) => open[index] === undefined);
    };
    try {
      return await work(takeFree);
    } finally {
      for (const { release } of taken) release();
    }
  };
}
