export type EventFilter = {
  /** Equal for filters that pass the same events. */
  readonly key: string;
  /** Null passes every type. */
  readonly types: ReadonlySet<string> | null;
  readonly resources: ReadonlySet<string> | null;
};

type FilterInput = { readonly types?: readonly string[] | undefined; readonly resources?: readonly string[] | undefined };
type Filtered = { readonly eventType: string; readonly aggregateType: string };

/** An event passes if its type is one of `types` and its aggregate type is one of `resources`. */
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
