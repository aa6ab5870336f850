import { AppError } from '@holdfast/shared/errors';
import type { Listed } from './ports.js';

export type Page<Item> = { readonly items: readonly Item[]; readonly nextCursor: string | null };

/** A page of what was listed, with the cursor of the next one. */
export async function pageOf<Item extends { readonly id: string }>(limit: number, listed: Listed<Item>): Promise<Page<Item>> {
  const found = await listed;
  if (found === undefined) throw new AppError('VALIDATION_ERROR', { validationErrors: ['cursor is not an item of this list'] });
  const items = found.slice(0, limit);
  return { items, nextCursor: found.length > limit ? (items.at(-1)?.id ?? null) : null };
}
