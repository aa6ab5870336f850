import type { Context } from '@holdfast/kernel/context';
import { userChanged } from '@holdfast/contracts/messages';
import { faultOfMetadata } from '@holdfast/contracts/shapes';
import { AppError } from '@holdfast/kernel/errors';
import type { UserId } from '@holdfast/kernel/ids';
import { patchUser, type User, type UserPatch } from '../domain/user.js';
import { auditedChangeOf, publishAudit } from './audit.js';
import { getUser } from './get-user.js';
import type { Deps, UserWithBalance } from './ports.js';
import { userMessage } from './user-message.js';

export type UpdateUser = UserPatch & { readonly id: UserId };

/**
 * The balance is requested first, so that an unavailable ledger-balance leaves the user unchanged. The response to a change of
 * the status waits until every service has consumed it, so that a suspension is effective when the caller gets the response.
 * See ADR 0010.
 */
export async function updateUser(deps: Deps, input: UpdateUser, ctx: Context): Promise<UserWithBalance> {
  const { id, ...patch } = input;
  const { balance } = await getUser(deps, { id }, ctx);
  const user = await deps.perform({ name: 'updateUser', input, ctx }, async (tx) => {
    const before = await tx.users.lock(ctx.caller.marketplaceId, id);
    if (before === undefined) throw new AppError('USER_NOT_FOUND', { userId: id });
    const after = patchUser(before, patch, ctx.at);
    if (after === before) return before;
    assertMetadataLimits(after);
    await tx.users.save(after);
    tx.publish(userChanged, userMessage(after));
    const change = auditedChangeOf(before, after, changeable);
    publishAudit(tx, { ...change, action: 'USER_UPDATED', resourceType: 'User', resource: after }, ctx);
    return after;
  });
  if (patch.status !== undefined) await deps.users.whenPropagated(user, ctx);
  return { user, balance };
}

const changeable = ['status', 'email', 'metadata'] as const;

/** The patch is within the limits, but the merged metadata may exceed them. */
function assertMetadataLimits({ metadata }: User): void {
  const fault = faultOfMetadata(metadata);
  if (fault !== undefined)
    throw new AppError('VALIDATION_ERROR', { validationErrors: [`metadata ${fault} with what is there already`] });
}
