import type { Context } from '@holdfast/kernel/context';
import { AppError } from '@holdfast/kernel/errors';
import type { UserId } from '@holdfast/kernel/ids';
import { toPage, type Page, type PageFilter } from '@holdfast/kernel/pages';
import type { Balance, Deps } from './ports.js';
import { userLookup } from './user-lookup.js';

export type ListBalances = Pick<PageFilter, 'limit' | 'cursor'> & { readonly userId: UserId };

/** Sorted by currency. The cursor is the currency of the last balance of the previous page. */
export async function listBalances(deps: Deps, { userId, limit, cursor }: ListBalances, ctx: Context): Promise<Page<Balance>> {
  await deps.users.require(userLookup(ctx, userId));
  const balances = await deps.balances.findAll(ctx.caller.marketplaceId, userId);
  const first = cursor === undefined ? 0 : balances.findIndex(({ currency }) => currency === cursor) + 1;
  if (cursor !== undefined && first === 0)
    throw new AppError('VALIDATION_ERROR', { validationErrors: ['cursor is not an item of this list'] });
  return toPage(balances.slice(first), limit, ({ currency }) => currency);
}
