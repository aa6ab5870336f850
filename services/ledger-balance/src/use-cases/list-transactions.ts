import type { Context } from '@holdfast/shared/context';
import type { BalanceTransaction } from '@holdfast/shared/contracts/http';
import { AppError } from '@holdfast/shared/errors';
import type { UserId } from '@holdfast/shared/ids';
import { askedBy } from './asked-by.js';
import type { Deps, HistoryFilter } from './ports.js';

export type Transactions = { readonly items: readonly BalanceTransaction[]; readonly nextCursor: string | null };

export async function listTransactions(
  deps: Deps,
  { userId, ...filter }: HistoryFilter & { readonly userId: UserId },
  ctx: Context,
): Promise<Transactions> {
  await deps.users.demand(askedBy(ctx, userId));
  const found = await deps.balances.history(userId, filter);
  if (found === undefined) throw new AppError('VALIDATION_ERROR', { validationErrors: ['cursor: is not an item of this list'] });
  const items = found.slice(0, filter.limit);
  return { items, nextCursor: found.length > filter.limit ? (items.at(-1)?.id ?? null) : null };
}
