type Listed = { readonly id: string };

const perPageDefault = 100;
const perPageMax = 1_000;

/** A page in the provider's format, oldest first: after the record of the cursor `after`, or before that of the cursor `before`. */
export function listOf<T extends Listed>(all: Iterable<T>, query: URLSearchParams, view: (each: T) => unknown) {
  const records = [...all];
  const requested = Number(query.get('perPage') ?? perPageDefault);
  const perPage = Number.isInteger(requested) && requested > 0 ? Math.min(requested, perPageMax) : perPageDefault;
  const indexOf = (cursor: string): number => records.findIndex(({ id }) => id === cursor);
  const [after, before] = [query.get('after'), query.get('before')];
  const first = after === null ? 0 : indexOf(after) + 1;
  const start = before === null ? first : Math.max(0, indexOf(before) - perPage);
  const end = before === null ? start + perPage : Math.max(0, indexOf(before));
  const page = records.slice(start, end);
  return { items: page.map(view), startCursor: page[0]?.id ?? null, endCursor: page.at(-1)?.id ?? null };
}
