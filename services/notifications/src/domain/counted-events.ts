type Counted = { readonly aggregateType: string; readonly aggregateId: string };

export type CountedEvents = {
  /** The version of each event, in their order. */
  readonly versions: readonly number[];
  /** The counts by aggregate. */
  readonly counts: ReadonlyMap<string, { readonly before: number; readonly after: number }>;
};

/** The name under which the log counts the events of an aggregate, whichever service has published them. */
export function countedAggregate({ aggregateType, aggregateId }: Counted): string {
  return `${aggregateType} ${aggregateId}`;
}

/** Numbers events in the order of the log: 1, 2, 3 … for each aggregate, after those that the log has already. */
export function countEvents(events: readonly Counted[], logged: ReadonlyMap<string, number>): CountedEvents {
  const counts = new Map<string, { readonly before: number; readonly after: number }>();
  const versions = events.map((event) => {
    const aggregate = countedAggregate(event);
    const before = counts.get(aggregate)?.before ?? logged.get(aggregate) ?? 0;
    const after = (counts.get(aggregate)?.after ?? before) + 1;
    counts.set(aggregate, { before, after });
    return after;
  });
  return { versions, counts };
}
