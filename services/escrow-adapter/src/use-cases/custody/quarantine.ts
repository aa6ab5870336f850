import { defaultMarketplaceId } from '@holdfast/kernel/ids';
import type { HistoryEntry, LedgerHistory } from '@holdfast/ledger-network/horizon';
import { outflowPlaceOf } from './legs.js';
import type { PlaceOf, QuarantinedRecord } from './ports.js';

type RejectedEntry = Extract<HistoryEntry, { readonly rejected: unknown }>;

/**
 * Our addresses whose balance a record may be about. A record may only name an address, for example as the issuer of an asset that a
 * stranger trades. Such a record is not about the address; otherwise any stranger could stop the sweep of any wallet.
 */
export async function concernedBy(
  { position, rejected }: RejectedEntry,
  placeOf: PlaceOf,
  affectedBy: LedgerHistory['affectedBy'],
): Promise<readonly string[]> {
  const own = rejected.names.filter((address) => placeOf(address) !== undefined);
  const by = rejected.source;
  if (own.length === 0 || rejected.isKnownType) return own.filter((address) => address === by);
  const affected = position === undefined ? undefined : await affectedBy(position);
  return affected === undefined ? own : own.filter((address) => address === by || affected.includes(address));
}

/** Undefined where the record mentions none of our accounts. */
export function quarantinedOf(
  { rejected }: RejectedEntry,
  concerned: readonly string[],
  placeOf: PlaceOf,
): QuarantinedRecord | undefined {
  const places = concerned.flatMap((address) => placeOf(address) ?? []);
  if (places.length === 0) return undefined;
  const wallets = places.filter((place) => place.place === 'wallet');
  const madeBy = outflowPlaceOf(placeOf(rejected.source ?? ''));
  const owned = places.find((place) => 'marketplaceId' in place);
  return {
    id: rejected.id,
    record: JSON.stringify(rejected.record),
    reason: rejected.reason,
    userIds: [...new Set(wallets.map(({ ownerId }) => ownerId))].toSorted(),
    marketplaceId: owned?.marketplaceId ?? defaultMarketplaceId,
    ...(madeBy === undefined ? {} : { madeBy }),
  };
}
