import type { Context } from '@holdfast/kernel/context';
import type { CancelRequest, Topup } from '../domain/topup.js';
import type { UnitOfWork } from './ports.js';
import { insertPayinIntent } from './run-payin-intent.js';

/**
 * Stores who wants to cancel. The open intent of the top-up, which creates the pay-in, sees it; without one the pay-in is canceled
 * by its own intent.
 */
export async function requestTopupCancellation(
  tx: UnitOfWork,
  topup: Topup,
  cancelRequest: CancelRequest,
  ctx: Pick<Context, 'requestId' | 'at'>,
): Promise<void> {
  if (topup.cancelRequest !== null) return;
  tx.topups.save({ ...topup, cancelRequest });
  const open = await tx.intents.findOpen(topup.id);
  if (open === undefined) insertPayinIntent(tx, 'cancel-payin', topup, ctx);
  else tx.intents.wake(open);
}
