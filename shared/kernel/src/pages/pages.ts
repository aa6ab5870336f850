import type { Instant } from '../context/index.js';
import { AppError } from '../errors/index.js';

/** The query parameters that all list routes have. */
export type PageFilter = {
  readonly limit: number;
  /** The id of the last item of the previous page. */
  readonly cursor?: string | undefined;
  readonly createdAfter?: Instant | undefined;
  readonly createdBefore?: Instant | undefined;
};

/** Rows, newest first, with one more than the limit if there is another page. Undefined if the cursor is unknown. */
export type Listed<Item> = Promise<readonly Item[] | undefined>;

/** One page of a list. `nextCursor` is null on the last page. */
export type Page<Item> = { readonly items: readonly Item[]; readonly nextCursor: string | null };

/** A page of items whose cursor is their id. VALIDATION_ERROR if the cursor is unknown. */
export async function pageOf<Item extends { readonly id: string }>(limit: number, listed: Listed<Item>): Promise<Page<Item>> {
  const found = await listed;
  if (found === undefined) throw new AppError('VALIDATION_ERROR', { validationErrors: ['cursor is not an item of this list'] });
  return toPage(found, limit, ({ id }) => id);
}

/** A page of rows that were read with one more than the limit. */
export function toPage<Item>(rows: readonly Item[], limit: number, cursorOf: (item: Item) => string): Page<Item> {
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  return { items, nextCursor: rows.length > limit && last !== undefined ? cursorOf(last) : null };
}

export function mapPage<Item, View>({ items, nextCursor }: Page<Item>, view: (item: Item) => View): Page<View> {
  return { items: items.map(view), nextCursor };
}
