import { AppError } from '@holdfast/kernel/errors';
import { isId } from '@holdfast/kernel/ids';
import type { Case } from '../domain/case.js';
import { isFinal } from '../domain/topup.js';
import { hasEnded } from '../domain/withdrawal.js';
import type { Deps } from './ports.js';

const reason = 'The top-up or withdrawal of this case is still open and may book the money itself.';

/** INVALID_STATE while the operation of the case is open, because a credit would book its money twice. What has ended stays so. */
export async function requireRelatedEnded(deps: Pick<Deps, 'topups' | 'withdrawals'>, { relatedId }: Case): Promise<void> {
  const currentStatus = relatedId === null ? undefined : await openStatusOf(deps, relatedId);
  if (currentStatus === undefined) return;
  throw new AppError('INVALID_STATE', { currentStatus, relatedId, reason }, { message: reason });
}

async function openStatusOf(
  { topups, withdrawals }: Pick<Deps, 'topups' | 'withdrawals'>,
  relatedId: string,
): Promise<string | undefined> {
  if (isId(relatedId, 'wd')) {
    const withdrawal = await withdrawals.findByCodeOrPayout(relatedId, null);
    return withdrawal === undefined || hasEnded(withdrawal) ? undefined : withdrawal.status;
  }
  const topup = await topups.findByCodeOrPayin(relatedId, null);
  return topup === undefined || isFinal(topup) ? undefined : topup.status;
}
