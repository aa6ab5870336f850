import type { Context } from '@holdfast/kernel/context';
import type { BalanceTransaction } from '@holdfast/contracts/http';
import type { UserId } from '@holdfast/kernel/ids';
import { pageOf, type Page } from '@holdfast/kernel/pages';
import { userLookup } from './user-lookup.js';
import type { Deps, HistoryFilter } from './ports.js';

export async function listTransactions(
  deps: Deps,
  { userId, ...filter }: HistoryFilter & { readonly userId: UserId },
  ctx: Context,
): Promise<Page<BalanceTransaction>> {
  await deps.users.require(userLookup(ctx, userId));
  return pageOf(filter.limit, deps.balances.history(userId, filter));
}
