import type { Context } from '@holdfast/kernel/context';
import type { UserId } from '@holdfast/kernel/ids';
import { findUser } from './find-user.js';
import type { Deps, UserWithBalance } from './ports.js';
import { withBalance } from './with-balance.js';

export async function getUser(deps: Deps, input: { readonly id: UserId }, ctx: Context): Promise<UserWithBalance> {
  return withBalance(deps, await findUser(deps, input, ctx), ctx);
}
