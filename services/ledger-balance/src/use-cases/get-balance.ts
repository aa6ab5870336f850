import type { Context } from '@holdfast/kernel/context';
import { AppError } from '@holdfast/kernel/errors';
import { userLookup } from './user-lookup.js';
import type { Balance, Deps, WantedBalance } from './ports.js';

export async function getBalance(deps: Deps, wanted: WantedBalance, ctx: Context): Promise<Balance> {
  const { userId } = wanted;
  const find = (): Promise<Balance | undefined> => deps.balances.find(ctx.caller.marketplaceId, wanted);
  const known = await find();
  if (known !== undefined) return known;
  await deps.users.require(userLookup(ctx, userId));
  const balance = await find();
  if (balance === undefined) throw new AppError('USER_NOT_FOUND', { userId });
  return balance;
}
