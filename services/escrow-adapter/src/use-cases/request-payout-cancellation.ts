import type { Intent } from '@holdfast/intents';
import type { Context } from '@holdfast/kernel/context';
import type { WithdrawalId } from '@holdfast/kernel/ids';
import type { Deps } from './ports.js';

/** The next run of the intent sends nothing. */
export const cancelRequested = { isCancelRequested: true } as const;

/**
 * Requests that a payout is not sent. Only a run of its intent decides, because it holds the lease and knows whether anything was sent. A
 * run that has begun may still pay; the next one does not. Returns whether the payout was open.
 */
export async function requestPayoutCancellation(
  deps: Pick<Deps, 'inTransaction' | 'intents'>,
  { id: subject }: { readonly id: WithdrawalId },
  ctx: Pick<Context, 'caller' | 'log'>,
): Promise<boolean> {
  const { marketplaceId } = ctx.caller;
  const intentId = await deps.inTransaction((tx) => deps.intents.requestOfOpen(tx, { subject, marketplaceId }, cancelRequested));
  if (intentId === undefined) return false;
  deps.intents.wake(intentId);
  ctx.log.info({ intentId, withdrawalId: subject }, 'cancellation of a payout requested');
  return true;
}

export function isCancelRequested({ workerState }: Pick<Intent, 'workerState'>): boolean {
  return workerState['isCancelRequested'] === true;
}
