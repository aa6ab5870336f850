export type EventFilter = {
  /** The same for filters that let the same events through. */
  readonly key: string;
  /** Null lets every one through. */
  readonly types: ReadonlySet<string> | null;
  readonly resources: ReadonlySet<string> | null;
};

type FilterInput = { readonly types?: readonly string[] | undefined; readonly resources?: readonly string[] | undefined };
type Filtered = { readonly eventType: string; readonly aggregateType: string };

/** Both conditions must hold; within each, one of its values. */
export function eventFilter({ types, resources }: FilterInput): EventFilter {
  const [typeSet, resourceSet] = [setOf(types), setOf(resources)];
  return { key: `${keyOf(typeSet)}|${keyOf(resourceSet)}`, types: typeSet, resources: resourceSet };
}

export function passes({ types, resources }: EventFilter, { eventType, aggregateType }: Filtered): boolean {
  return (types === null || types.has(eventType)) && (resources === null || resources.has(aggregateType));
}

function setOf(values: readonly string[] | undefined): ReadonlySet<string> | null {
  return values === undefined || values.length === 0 ? null : new Set(values);
}

function keyOf(values: ReadonlySet<string> | null): string {
  return values === null ? '*' : [...values].sort().join(',');
}
