/** What the order of events depends on, of one that has arrived. */
export type Waiting = {
  readonly id: string;
  /** Only where the numbers of an aggregate count its public events without gaps. */
  readonly numbered: { readonly aggregate: string; readonly version: number } | undefined;
  /** Only where the cause is known to be an event of the log. */
  readonly causeId: string | undefined;
  /** Beyond this moment it waits for nobody. */
  readonly heldUntilMs: number;
};

/** What the log has already. */
export type Appended = {
  readonly versions: ReadonlyMap<string, number>;
  readonly ids: ReadonlySet<string>;
};

export type Ordered<Item> = { readonly ready: readonly Item[]; readonly held: readonly Item[] };

/**
 * Which of those that have arrived can be appended now, and in which order: each after the event before it of its aggregate,
 * and after its cause. The order of arrival decides where neither says anything. Whoever has waited long enough goes on
 * without: a late predecessor is better shown late than never.
 */
export function putInOrder<Item extends Waiting>(arrived: readonly Item[], appended: Appended, nowMs: number): Ordered<Item> {
  const versions = new Map(appended.versions);
  const ids = new Set(appended.ids);
  const ready: Item[] = [];
  let held = arrived;
  for (let before = Infinity; held.length > 0 && held.length < before;) {
    before = held.length;
    held = held.filter((item) => {
      if (nowMs < item.heldUntilMs && !isNext(item, versions, ids)) return true;
      note(item, versions, ids);
      ready.push(item);
      return false;
    });
  }
  return { ready, held };
}

function isNext({ numbered, causeId }: Waiting, versions: ReadonlyMap<string, number>, ids: ReadonlySet<string>): boolean {
  if (causeId !== undefined && !ids.has(causeId)) return false;
  return numbered === undefined || numbered.version <= (versions.get(numbered.aggregate) ?? 0) + 1;
}

function note({ id, numbered }: Waiting, versions: Map<string, number>, ids: Set<string>): void {
  ids.add(id);
  if (numbered === undefined) return;
  versions.set(numbered.aggregate, Math.max(numbered.version, versions.get(numbered.aggregate) ?? 0));
}
