type Listed = { readonly id: string };

const limitDefault = 50;
const limitMax = 200;

/** A page in the provider's format, oldest first; `after` is the end cursor of the previous page. */
export function listOf<T extends Listed>(all: Iterable<T>, query: URLSearchParams, view: (each: T) => unknown) {
  const records = [...all];
  const requested = Number(query.get('limit') ?? limitDefault);
  const limit = Number.isInteger(requested) && requested > 0 ? Math.min(requested, limitMax) : limitDefault;
  const after = query.get('after');
  const start = after === null ? 0 : records.findIndex(({ id }) => id === after) + 1;
  const page = records.slice(start, start + limit);
  return { items: page.map(view), startCursor: page[0]?.id ?? null, endCursor: page.at(-1)?.id ?? null };
}
