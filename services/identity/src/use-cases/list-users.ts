import type { Context } from '@holdfast/kernel/context';
import { pageOf, type Page } from '@holdfast/kernel/pages';
import type { Deps, UserFilter, UserWithBalance } from './ports.js';
import { withBalances } from './with-balance.js';

export async function listUsers(deps: Deps, filter: UserFilter, ctx: Context): Promise<Page<UserWithBalance>> {
  const { items, nextCursor } = await pageOf(filter.limit, deps.users.list(ctx.caller.marketplaceId, filter));
  return { items: await withBalances(deps, items, ctx), nextCursor };
}
