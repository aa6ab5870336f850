import type { Instant } from '../context/index.js';
import { AppError } from '../errors/index.js';

/** What every list is requested with, besides the filters of its own. */
export type PageFilter = {
  readonly limit: number;
  /** The id of the last item of the page before. */
  readonly cursor?: string | undefined;
  readonly createdAfter?: Instant | undefined;
  readonly createdBefore?: Instant | undefined;
};

/** Newest first, one more than the limit where there is more. Undefined when the cursor is not an item of the list. */
export type Listed<Item> = Promise<readonly Item[] | undefined>;

export type Page<Item> = { readonly items: readonly Item[]; readonly nextCursor: string | null };

/** The page of a list whose cursor is the item's id. VALIDATION_ERROR where the cursor is not an item of the list. */
export async function pageOf<Item extends { readonly id: string }>(limit: number, listed: Listed<Item>): Promise<Page<Item>> {
  const found = await listed;
  if (found === undefined) throw new AppError('VALIDATION_ERROR', { validationErrors: ['cursor is not an item of this list'] });
  return toPage(found, limit, ({ id }) => id);
}

/** One row more than the limit says that there is another page. */
export function toPage<Item>(rows: readonly Item[], limit: number, cursorOf: (item: Item) => string): Page<Item> {
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  return { items, nextCursor: rows.length > limit && last !== undefined ? cursorOf(last) : null };
}

export function mapPage<Item, View>({ items, nextCursor }: Page<Item>, view: (item: Item) => View): Page<View> {
  return { items: items.map(view), nextCursor };
}
