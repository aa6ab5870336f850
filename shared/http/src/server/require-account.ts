import { tokenNeeded } from '@holdfast/contracts/http';
import type { Context } from '@holdfast/kernel/context';
import { AppError } from '@holdfast/kernel/errors';
import { isId, type UserId } from '@holdfast/kernel/ids';

/** The person who has logged in. The gateway lets only people through to a route for people. */
export function requireAccount({ caller }: Pick<Context, 'caller'>): UserId {
  if (caller.type !== 'account' || !isId(caller.id, 'usr')) throw new AppError('UNAUTHORIZED', {}, { message: tokenNeeded });
  return caller.id;
}
