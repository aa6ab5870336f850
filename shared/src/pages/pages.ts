import type { Instant } from '../context/index.js';
import { AppError } from '../errors/index.js';

/** What every list is asked with, besides the filters of its own. */
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

/** A page of what was listed, with the cursor of the next one. */
export async function pageOf<Item extends { readonly id: string }>(limit: number, listed: Listed<Item>): Promise<Page<Item>> {
  const found = await listed;
  if (found === undefined) throw new AppError('VALIDATION_ERROR', { validationErrors: ['cursor is not an item of this list'] });
  const items = found.slice(0, limit);
  return { items, nextCursor: found.length > limit ? (items.at(-1)?.id ?? null) : null };
}
