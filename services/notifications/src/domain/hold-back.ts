export type Numbered = {
  readonly aggregate: string;
  readonly version: number;
  /** Whether the numbers count the events of the aggregate one by one, so that one which is missing is known to be. */
  readonly isGapless: boolean;
};

/** What the order of events depends on, of one that has arrived. */
export type OrderedArrival = {
  readonly id: string;
  /** Its place among the events of its aggregate. */
  readonly numbered: Numbered | undefined;
  /** The event that it names as told before it. */
  readonly afterEventId: string | undefined;
  /** Until then it waits for a number that is missing although it may never come. */
  readonly gapUntilMs: number;
  /** Beyond this moment it waits for nobody. */
  readonly heldUntilMs: number;
};

/** What the log has already. */
export type Appended = {
  readonly versions: ReadonlyMap<string, number>;
  readonly ids: ReadonlySet<string>;
};

export type Ordered<Item> = { readonly ready: readonly Item[]; readonly heldBack: readonly Item[] };

/**
 * Which of those that have arrived can be appended now, and in which order: each after the event before it of its aggregate,
 * and after the one that it names. The order of arrival decides where neither says anything: of those that can go, the one that came first
 * goes next. Whoever has waited long enough goes on without: a late predecessor is better shown late than never.
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
  const mayGo = (item: Item): boolean => nowMs >= item.heldUntilMs || isNext(item, { versions, ids, lowest, nowMs });
  for (let next = heldBack.findIndex(mayGo); next !== -1; next = heldBack.findIndex(mayGo)) {
    const [item] = heldBack.splice(next, 1);
    if (item === undefined) break;
    markAppended(item, versions, ids);
    ready.push(item);
    removeVersion(item, heldBack, lowest);
  }
  return { ready, heldBack };
}

/** Of those that wait, so that nobody overtakes one of the same aggregate that is here as well. */
function lowestVersions(items: readonly OrderedArrival[]): Map<string, number> {
  const lowest = new Map<string, number>();
  for (const { numbered } of items) {
    if (numbered === undefined) continue;
    lowest.set(numbered.aggregate, Math.min(numbered.version, lowest.get(numbered.aggregate) ?? Infinity));
  }
  return lowest;
}

function removeVersion({ numbered }: OrderedArrival, held: readonly OrderedArrival[], lowest: Map<string, number>): void {
  if (numbered === undefined) return;
  const left = lowestVersions(held.filter((item) => item.numbered?.aggregate === numbered.aggregate));
  lowest.set(numbered.aggregate, left.get(numbered.aggregate) ?? Infinity);
}

type AppendState = Appended & { readonly lowest: ReadonlyMap<string, number>; readonly nowMs: number };

function isNext({ numbered, afterEventId, gapUntilMs }: OrderedArrival, { versions, ids, lowest, nowMs }: AppendState): boolean {
  if (afterEventId !== undefined && !ids.has(afterEventId)) return false;
  if (numbered === undefined) return true;
  const { aggregate, version, isGapless } = numbered;
  const isAdjacent = version <= (versions.get(aggregate) ?? 0) + 1;
  if (isGapless || isAdjacent) return isAdjacent;
  return version <= (lowest.get(aggregate) ?? version) && nowMs >= gapUntilMs;
}

function markAppended({ id, numbered }: OrderedArrival, versions: Map<string, number>, ids: Set<string>): void {
  ids.add(id);
  if (numbered === undefined) return;
  versions.set(numbered.aggregate, Math.max(numbered.version, versions.get(numbered.aggregate) ?? 0));
}
