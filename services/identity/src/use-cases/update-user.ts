import type { Context } from '@holdfast/kernel/context';
import { userChanged } from '@holdfast/contracts/messages';
import { faultOfMetadata } from '@holdfast/contracts/shapes';
import { AppError } from '@holdfast/kernel/errors';
import type { UserId } from '@holdfast/kernel/ids';
import { patchUser, type User, type UserPatch } from '../domain/user.js';
import { auditedChange, publishAudit } from './audit.js';
import { getUser } from './get-user.js';
import type { Deps, UserWithBalance } from './ports.js';
import { userMessage } from './user-message.js';

export type UpdateUser = UserPatch & { readonly id: UserId };

/**
 * The balance is asked for first, so that a ledger which does not answer leaves the user as it was. A new status is answered
 * for once every service knows it: whoever has suspended a user may rely on it.
 */
export async function updateUser(deps: Deps, input: UpdateUser, ctx: Context): Promise<UserWithBalance> {
  const { id, ...patch } = input;
  const { balance } = await getUser(deps, { id }, ctx);
  const user = await deps.perform({ name: 'updateUser', input, ctx }, async (tx) => {
    const before = await tx.users.lock(ctx.caller.marketplaceId, id);
    if (before === undefined) throw new AppError('USER_NOT_FOUND', { userId: id });
    const after = patchUser(before, patch, ctx.at);
    if (after === before) return before;
    refuseTooMuchMetadata(after);
    await tx.users.save(after);
    tx.publish(userChanged, userMessage(after));
    publishAudit(tx, { ...auditedChange(before, after), action: 'USER_UPDATED', resourceType: 'User', resource: after }, ctx);
    return after;
  });
  if (patch.status !== undefined) await deps.users.whenPropagated(user, ctx);
  return { user, balance };
}

/** Each part may be within the limits, and what they make together beyond them. */
function refuseTooMuchMetadata({ metadata }: User): void {
  const fault = faultOfMetadata(metadata);
  if (fault !== undefined)
    throw new AppError('VALIDATION_ERROR', { validationErrors: [`metadata ${fault} with what is there already`] });
}
