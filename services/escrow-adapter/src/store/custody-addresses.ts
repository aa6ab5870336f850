import { isId } from '@holdfast/kernel/ids';
import type { PlatformAccounts } from '@holdfast/ledger-network/signing';
import type { OwnPlace, WatcherStore } from '../use-cases/custody/ports.js';
import type { Wallets } from '../use-cases/wallets/ports.js';
import type { walletStore } from './wallet-store.js';

type Stores = {
  readonly wallets: Pick<ReturnType<typeof walletStore>, 'find'>;
  readonly watched: Pick<WatcherStore, 'placesOf'>;
};

/** Where the addresses of the platform and of its users are. */
export function custodyAddresses(
  { treasury, channels, platform }: PlatformAccounts,
  { wallets, watched }: Stores,
): Pick<Wallets, 'platformAddress' | 'isOwnAddress' | 'addressesAt' | 'payersOf'> {
  return {
    platformAddress: () => platform,
    isOwnAddress: async (address) => (await watched.placesOf([address]))(address) !== undefined,
    addressesAt: async (place, ownerId) => {
      if (place === 'treasury') return [treasury, ...channels];
      if (place === 'platform') return [platform];
      if (place !== 'wallet' || ownerId === null || !isId(ownerId, 'usr')) return [];
      return (await wallets.find([ownerId])).map(({ address }) => address);
    },
    payersOf: async (userId) => [...channels, ...(await wallets.find([userId])).map(({ address }) => address)],
  };
}

export function platformPlaces({ treasury, channels, platform }: PlatformAccounts): ReadonlyMap<string, OwnPlace> {
  return new Map<string, OwnPlace>([
    ...[treasury, ...channels].map((address): [string, OwnPlace] => [address, { place: 'treasury' }]),
    [platform, { place: 'platform' }],
  ]);
}
