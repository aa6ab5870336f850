import type { Instant } from '@holdfast/kernel/context';
import type { MarketplaceId } from '@holdfast/kernel/ids';
import { AppError } from '@holdfast/kernel/errors';
import { durationMsOf, toEpochMs, toInstant, type Duration } from '@holdfast/kernel/instants';

export const noResponseRules = ['none', 'opener'] as const;
export type NoResponseRule = (typeof noResponseRules)[number];

export type Marketplace = {
  readonly id: MarketplaceId;
  readonly name: string;
  /** How long the other side of a dispute can respond; null: no deadline. */
  readonly disputeResponsePeriod: Duration | null;
  /** After how long an undecided dispute is overdue; null: never. */
  readonly disputeDecisionPeriod: Duration | null;
  /** The side that wins a dispute if the other side has not responded in time. */
  readonly onNoResponse: NoResponseRule;
  /** How far its test clock is ahead of the real time. */
  readonly clockOffsetSeconds: number;
  /** Counts the published changes of the marketplace. */
  readonly version: number;
  readonly createdAt: Instant;
};

/** The fields that a patch can change. */
export const marketplaceSettings = ['name', 'disputeResponsePeriod', 'disputeDecisionPeriod', 'onNoResponse'] as const;

export type MarketplaceSettings = Pick<Marketplace, (typeof marketplaceSettings)[number]>;

export type MarketplacePatch = { readonly [Field in keyof MarketplaceSettings]?: MarketplaceSettings[Field] | undefined };

export function newMarketplace({ id, name, createdAt }: Pick<Marketplace, 'id' | 'name' | 'createdAt'>): Marketplace {
  const settings = { disputeResponsePeriod: null, disputeDecisionPeriod: null, onNoResponse: 'none' } as const;
  return { id, name, ...settings, clockOffsetSeconds: 0, version: 1, createdAt };
}

/** The marketplace after a patch; the same object where the patch changes nothing. */
export function patchMarketplace(marketplace: Marketplace, patch: MarketplacePatch): Marketplace {
  const changed = marketplaceSettings.filter((field) => patch[field] !== undefined && patch[field] !== marketplace[field]);
  if (changed.length === 0) return marketplace;
  const given = Object.fromEntries(changed.map((field) => [field, patch[field]]));
  return { ...marketplace, ...given, version: marketplace.version + 1 };
}

const clockOffsetMax: Duration = 'P366D';

/** The marketplace with its test clock further ahead. LIMIT_EXCEEDED beyond a year in all. */
export function advanceClock(marketplace: Marketplace, by: Duration): Marketplace {
  const offsetSeconds = marketplace.clockOffsetSeconds;
  const ahead = offsetSeconds + secondsOf(by);
  if (ahead > secondsOf(clockOffsetMax)) {
    const message = `A test clock can be ${clockOffsetMax} ahead in all.`;
    throw new AppError('LIMIT_EXCEEDED', { max: clockOffsetMax, offsetSeconds }, { message });
  }
  return { ...marketplace, clockOffsetSeconds: ahead, version: marketplace.version + 1 };
}

function secondsOf(duration: Duration): number {
  return (durationMsOf(duration) ?? 0) / 1_000;
}

/** The time of the marketplace, at this real time. */
export function clockOf({ clockOffsetSeconds: offsetSeconds }: Marketplace, at: Instant) {
  return { now: toInstant(toEpochMs(at) + offsetSeconds * 1_000), offsetSeconds };
}
