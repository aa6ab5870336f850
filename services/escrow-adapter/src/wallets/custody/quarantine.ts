import { createHash } from 'node:crypto';
import { defaultMarketplaceId, type MarketplaceId, type UserId } from '@holdfast/kernel/ids';
import type { HistoryEntry } from '../network/ledger-history.js';
import { namedAddresses } from '../network/addresses.js';
import type { PlaceOf } from './legs.js';

/** A record that names an address of ours and could not be understood. */
export type QuarantinedRecord = {
  /** The operation; the hash of the record where it names none. */
  readonly id: string;
  readonly record: string;
  readonly reason: string;
  /** The owners of the wallets that it names. */
  readonly userIds: readonly UserId[];
  readonly marketplaceId: MarketplaceId;
};

export type RejectedEntry = Extract<HistoryEntry, { readonly rejected: unknown }>;

/** Undefined where the record names nobody of ours, so that it cannot be about our money. */
export function quarantinedOf({ position, rejected }: RejectedEntry, placeOf: PlaceOf): QuarantinedRecord | undefined {
  const places = namedAddresses(rejected.record).flatMap((address) => placeOf(address) ?? []);
  if (places.length === 0) return undefined;
  const record = JSON.stringify(rejected.record);
  const wallets = places.filter((place) => place.place === 'wallet');
  const owned = places.find((place) => 'marketplaceId' in place);
  return {
    id: position ?? createHash('sha256').update(record).digest('hex'),
    record,
    reason: rejected.reason,
    userIds: [...new Set(wallets.map(({ ownerId }) => ownerId))].toSorted(),
    marketplaceId: owned?.marketplaceId ?? defaultMarketplaceId,
  };
}
