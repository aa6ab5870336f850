import type { Context } from '@holdfast/kernel/context';
import { AppError } from '@holdfast/kernel/errors';
import type { Currency } from '@holdfast/kernel/money';
import type { UserId } from '@holdfast/kernel/ids';
import { userLookup } from './user-lookup.js';
import type { Balance, Deps } from './ports.js';

export type GetBalance = { readonly userId: UserId; readonly currency: Currency };

export async function getBalance(deps: Deps, { userId, currency }: GetBalance, ctx: Context): Promise<Balance> {
  const find = (): Promise<Balance | undefined> => deps.balances.find(ctx.caller.marketplaceId, userId, currency);
  const known = await find();
  if (known !== undefined) return known;
  await deps.users.require(userLookup(ctx, userId));
  const balance = await find();
  if (balance === undefined) throw new AppError('USER_NOT_FOUND', { userId });
  return balance;
}
