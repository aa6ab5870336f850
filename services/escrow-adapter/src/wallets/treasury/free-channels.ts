import type { LeaseHandle, Leases } from '@holdfast/intents/leases';
import type { TreasuryStore } from '../store/treasury-store.js';

/** Leases those of the channels that nobody pays from, so that what is read of their balances afterwards stays true. */
export type TakeFree = (addresses: readonly string[]) => Promise<readonly string[]>;

/** Runs `work`, and then releases the channels that it has taken. */
export type FreeChannels = <Result>(work: (takeFree: TakeFree) => Promise<Result>) => Promise<Result>;

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
