import type { Context } from '@holdfast/kernel/context';
import { AppError, isAppError } from '@holdfast/kernel/errors';
import type { UserId } from '@holdfast/kernel/ids';
import { confirmPayin } from './confirm-payin.js';
import type { WithdrawalHold } from './hold-ports.js';
import type { Deps } from './ports.js';

const reasons = {
  case: 'The payment provider does not confirm a payment of this user.',
  reading: 'A payment of this user is not confirmed by the payment provider yet.',
} as const;

/**
 * INVALID_STATE while the withdrawals of the user are held. Pay-ins that were not read yet are read now, so that an honest user
 * does not wait.
 */
export async function requireNoHold(deps: Deps, userId: UserId, ctx: Context): Promise<void> {
  const { marketplaceId } = ctx.caller;
  const unconfirmed = await deps.topups.findUnconfirmedOfUser(marketplaceId, userId);
  await Promise.all(
    unconfirmed.map((topup) =>
      confirmPayin(deps, topup, ctx).catch((error: unknown) => {
        throw isAppError(error) ? error : new AppError('SERVICE_UNAVAILABLE', {}, { cause: error });
      }),
    ),
  );
  const hold = await deps.holds.find(marketplaceId, userId);
  if (hold === undefined) return;
  const details = heldDetails(hold);
  throw new AppError('INVALID_STATE', details, { message: details.reason });
}

export function heldDetails({ caseId }: WithdrawalHold) {
  return caseId === null ? { reason: reasons.reading } : { reason: reasons.case, caseId };
}
