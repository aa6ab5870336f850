import type { Context } from '@holdfast/kernel/context';
import { AppError } from '@holdfast/kernel/errors';
import type { UserId } from '@holdfast/kernel/ids';
import type { User } from '../domain/user.js';
import type { Deps } from './ports.js';

/** A user of the caller's marketplace; users of other marketplaces are 404. */
export async function findUser(deps: Deps, { id }: { readonly id: UserId }, ctx: Context): Promise<User> {
  const user = await deps.users.find(ctx.caller.marketplaceId, id);
  if (user === undefined) throw new AppError('USER_NOT_FOUND', { userId: id });
  return user;
}
