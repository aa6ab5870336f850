import type { Context } from '@holdfast/kernel/context';
import type { User } from '../domain/user.js';
import type { Deps, UserWithBalance } from './ports.js';

export async function withBalance(deps: Deps, user: User, ctx: Context): Promise<UserWithBalance> {
  const [joined] = await withBalances(deps, [user], ctx);
  if (joined === undefined) throw new Error('ledger-balance returned no balance for the user');
  return joined;
}

/** Requests the balances of all users in one call. */
export async function withBalances(deps: Deps, users: readonly User[], ctx: Context): Promise<readonly UserWithBalance[]> {
  if (users.length === 0) return [];
  const balances = await deps.balances.of(
    users.map(({ id }) => id),
    ctx,
  );
  return users.flatMap((user, index) => {
    const balance = balances[index];
    return balance === undefined ? [] : [{ user, balance }];
  });
}
