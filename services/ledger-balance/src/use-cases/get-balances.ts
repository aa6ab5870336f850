import type { UserId } from '@holdfast/kernel/ids';
import type { Currency } from '@holdfast/kernel/money';
import type { Amounts, Deps } from './ports.js';

export type GetBalances = { readonly userIds: readonly UserId[]; readonly currency: Currency };

export type AmountsOfUser = Amounts & { readonly userId: UserId };

/** For services that have checked the users themselves: a user without an account gets zero, not USER_NOT_FOUND. */
export async function getBalances(deps: Deps, { userIds, currency }: GetBalances): Promise<readonly AmountsOfUser[]> {
  const found = await deps.balances.findMany(userIds, currency);
  return userIds.map((userId) => ({ userId, ...(found.get(userId) ?? { availableUnits: 0n, reservedUnits: 0n }) }));
}
