import type { Context } from '@holdfast/shared/context';
import type { BalanceTransaction } from '@holdfast/shared/contracts/http';
import type { UserId } from '@holdfast/shared/ids';
import { pageOf, type Page } from '@holdfast/shared/pages';
import { userLookup } from './asked-by.js';
import type { Deps, HistoryFilter } from './ports.js';

export async function listTransactions(
  deps: Deps,
  { userId, ...filter }: HistoryFilter & { readonly userId: UserId },
  ctx: Context,
): Promise<Page<BalanceTransaction>> {
  await deps.users.require(userLookup(ctx, userId));
  return pageOf(filter.limit, deps.balances.history(userId, filter));
}
