import type { Context } from '@holdfast/kernel/context';
import { AppError } from '@holdfast/kernel/errors';
import type { TopupId } from '@holdfast/kernel/ids';
import { moved } from '@holdfast/kernel/states';
import { originOfRequest } from '@holdfast/sagas';
import type { Topup } from '../domain/topup.js';
import { topupMoves } from '../domain/topup-states.js';
import { getTopup, requireTopup } from './get-topup.js';
import type { Deps } from './ports.js';
import { requestTopupCancellation } from './request-topup-cancellation.js';
import { waitForIntents } from './payment-waits.js';

export type CancelTopup = {
  readonly id: TopupId;
  readonly reason?: string | undefined;
  readonly canceledBy?: string | undefined;
};

/** Cancels the pay-in at the provider first. A payment that was faster wins. Several requests to cancel wait for the same outcome. */
export async function cancelTopup(deps: Deps, input: CancelTopup, ctx: Context): Promise<Topup> {
  const { id, reason, canceledBy } = input;
  deps.runs.requireAccepting();
  await deps.perform({ name: 'cancelTopup', input, ctx }, async (tx) => {
    const topup = requireTopup(await tx.topups.lock(id), id, ctx);
    moved(topupMoves, 'cancel', topup.status);
    const { actor } = originOfRequest(ctx);
    await requestTopupCancellation(tx, topup, { actor, canceledBy: canceledBy ?? actor.id, reason: reason ?? null }, ctx);
    return { id };
  });
  await waitForIntents(deps, id, { topupId: id });
  const topup = await getTopup(deps, { id }, ctx);
  if (topup.status !== 'TOPUP_CANCELED') throw new AppError('INVALID_STATE', notCanceled(topup));
  return topup;
}

function notCanceled({ status }: Topup) {
  const { from } = topupMoves.cancel;
  const isRefused = from.some((allowed) => allowed === status);
  return isRefused
    ? { currentStatus: status, reason: 'the payment provider does not cancel the payment any more' }
    : { currentStatus: status, allowedStatuses: from };
}
