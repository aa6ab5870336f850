import { createHash } from 'node:crypto';
import { z } from 'zod';
import { defaultMarketplaceId, type MarketplaceId, type UserId } from '@holdfast/kernel/ids';
import type { HistoryEntry, LedgerHistory } from '../network/ledger-history.js';
import { namedAddresses } from '../network/addresses.js';
import { outflowPlaceOf, type Outflow, type PlaceOf } from './legs.js';

/** A record that may be about an address of ours and could not be understood. */
export type QuarantinedRecord = {
  /** The operation; the hash of the record where it names none. */
  readonly id: string;
  readonly record: string;
  readonly reason: string;
  /** The owners of the wallets that it may be about. */
  readonly userIds: readonly UserId[];
  readonly marketplaceId: MarketplaceId;
  /** The account of ours that has made the operation, which this service has not. */
  readonly madeBy?: Pick<Outflow, 'place' | 'userId' | 'marketplaceId'> | undefined;
};

export type RejectedEntry = Extract<HistoryEntry, { readonly rejected: unknown }>;

const source = z.object({ source_account: z.string() });

function sourceOf(record: unknown): string | undefined {
  return source.safeParse(record).data?.source_account;
}

/**
 * The addresses of ours whose balance a record may be about. A record that only names one, for example as the issuer of an asset
 * that somebody trades, is not about it: else anybody could stop the sweep of any wallet.
 */
export async function concernedBy(
  { position, rejected }: RejectedEntry,
  placeOf: PlaceOf,
  affectedBy: LedgerHistory['affectedBy'],
): Promise<readonly string[]> {
  const own = namedAddresses(rejected.record).filter((address) => placeOf(address) !== undefined);
  const by = sourceOf(rejected.record);
  if (own.length === 0 || rejected.isKnownType) return own.filter((address) => address === by);
  const affected = position === undefined ? undefined : await affectedBy(position);
  return affected === undefined ? own : own.filter((address) => address === by || affected.includes(address));
}

/** Undefined where the record is about nobody of ours. */
export function quarantinedOf(
  { position, rejected }: RejectedEntry,
  concerned: readonly string[],
  placeOf: PlaceOf,
): QuarantinedRecord | undefined {
  const places = concerned.flatMap((address) => placeOf(address) ?? []);
  if (places.length === 0) return undefined;
  const record = JSON.stringify(rejected.record);
  const wallets = places.filter((place) => place.place === 'wallet');
  const madeBy = outflowPlaceOf(placeOf(sourceOf(rejected.record) ?? ''));
  const owned = places.find((place) => 'marketplaceId' in place);
  return {
    id: position ?? createHash('sha256').update(record).digest('hex'),
    record,
    reason: rejected.reason,
    userIds: [...new Set(wallets.map(({ ownerId }) => ownerId))].toSorted(),
    marketplaceId: owned?.marketplaceId ?? defaultMarketplaceId,
    ...(madeBy === undefined ? {} : { madeBy }),
  };
}
