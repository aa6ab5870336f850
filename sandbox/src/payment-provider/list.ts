type Listed = { readonly id: string };

const perPageDefault = 100;
const perPageMax = 1_000;

/** A page in the provider's format, oldest first: after the record that `after` names, or before the record that `before` names. */
export function listOf<T extends Listed>(all: Iterable<T>, query: URLSearchParams, view: (each: T) => unknown) {
  const records = [...all];
  const [start, end] = rangeOf(records, query);
  const page = records.slice(start, end);
  return { items: page.map(view), startCursor: page[0]?.id ?? null, endCursor: page.at(-1)?.id ?? null };
}

function rangeOf(records: readonly Listed[], query: URLSearchParams): readonly [number, number] {
  const perPage = perPageOf(query.get('perPage'));
  const indexOf = (cursor: string): number => records.findIndex(({ id }) => id === cursor);
  const before = query.get('before');
  if (before !== null) return [Math.max(0, indexOf(before) - perPage), Math.max(0, indexOf(before))];
  const after = query.get('after');
  const start = after === null ? 0 : indexOf(after) + 1;
  return [start, start + perPage];
}

function perPageOf(text: string | null): number {
  const requested = Number(text ?? perPageDefault);
  return Number.isInteger(requested) && requested > 0 ? Math.min(requested, perPageMax) : perPageDefault;
}
