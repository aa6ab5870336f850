export type AggregateVersion = {
  readonly aggregate: string;
  readonly version: number;
  /** Whether the versions count the public events one by one, so that a gap means a missing event. */
  readonly isGapless: boolean;
};

/** A consumed message, reduced to the data that decides its order. */
export type OrderedArrival = {
  readonly id: string;
  /** Undefined for messages that are ordered by arrival only. */
  readonly aggregateVersion: AggregateVersion | undefined;
  /** The event that the message names as its predecessor. */
  readonly afterEventId: string | undefined;
  /** Until this time it waits for a missing lower version that may not exist. */
  readonly gapUntilMs: number;
  /** After this time it is appended without waiting for any predecessor. */
  readonly heldUntilMs: number;
};

/** The part of the log's content that decides the order. */
export type Appended = {
  readonly versions: ReadonlyMap<string, number>;
  readonly ids: ReadonlySet<string>;
};

export type Ordered<Item> = { readonly ready: readonly Item[]; readonly heldBack: readonly Item[] };

/**
 * Selects and orders the messages that can be appended now (a hold-back queue). A message comes after the previous version of its
 * aggregate and after the event that it names as predecessor; otherwise the order of arrival decides. A message that was held
 * back for its maximum time is appended without its predecessor, which then appears late.
 */
export function orderArrivals<Item extends OrderedArrival>(
  arrived: readonly Item[],
  appended: Appended,
  nowMs: number,
): Ordered<Item> {
  const versions = new Map(appended.versions);
  const ids = new Set(appended.ids);
  const ready: Item[] = [];
  const heldBack = [...arrived];
  const lowest = lowestVersions(heldBack);
  const isReady = (item: Item): boolean => nowMs >= item.heldUntilMs || isNext(item, { versions, ids, lowest, nowMs });
  for (let next = heldBack.findIndex(isReady); next !== -1; next = heldBack.findIndex(isReady)) {
    const [item] = heldBack.splice(next, 1);
    if (item === undefined) break;
    markAppended(item, versions, ids);
    ready.push(item);
    removeVersion(item, heldBack, lowest);
  }
  return { ready, heldBack };
}

/** The lowest waiting version of each aggregate, so that no event overtakes a waiting one of the same aggregate. */
function lowestVersions(items: readonly OrderedArrival[]): Map<string, number> {
  const lowest = new Map<string, number>();
  for (const { aggregateVersion } of items) {
    if (aggregateVersion === undefined) continue;
    const { aggregate, version } = aggregateVersion;
    lowest.set(aggregate, Math.min(version, lowest.get(aggregate) ?? Infinity));
  }
  return lowest;
}

function removeVersion({ aggregateVersion }: OrderedArrival, held: readonly OrderedArrival[], lowest: Map<string, number>): void {
  if (aggregateVersion === undefined) return;
  const { aggregate } = aggregateVersion;
  const remaining = lowestVersions(held.filter((item) => item.aggregateVersion?.aggregate === aggregate));
  lowest.set(aggregate, remaining.get(aggregate) ?? Infinity);
}

type AppendState = Appended & { readonly lowest: ReadonlyMap<string, number>; readonly nowMs: number };

function isNext(
  { aggregateVersion, afterEventId, gapUntilMs }: OrderedArrival,
  { versions, ids, lowest, nowMs }: AppendState,
): boolean {
  if (afterEventId !== undefined && !ids.has(afterEventId)) return false;
  if (aggregateVersion === undefined) return true;
  const { aggregate, version, isGapless } = aggregateVersion;
  const isAdjacent = version <= (versions.get(aggregate) ?? 0) + 1;
  if (isGapless || isAdjacent) return isAdjacent;
  return version <= (lowest.get(aggregate) ?? version) && nowMs >= gapUntilMs;
}

function markAppended({ id, aggregateVersion }: OrderedArrival, versions: Map<string, number>, ids: Set<string>): void {
  ids.add(id);
  if (aggregateVersion === undefined) return;
  const { aggregate, version } = aggregateVersion;
  versions.set(aggregate, Math.max(version, versions.get(aggregate) ?? 0));
}
