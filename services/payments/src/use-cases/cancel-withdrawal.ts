import type { Context } from '@holdfast/kernel/context';
import type { SagaRunId, WithdrawalId } from '@holdfast/kernel/ids';
import type { Withdrawal } from '../domain/withdrawal.js';
import { withdrawalKind } from './aggregate-kinds.js';
import { applyChange } from './apply-change.js';
import { originOfRequest } from './origin.js';
import type { Deps } from './ports.js';
import { lockIdleWithdrawal, requireWithdrawal } from './require-withdrawal.js';
import { waitForRun } from './wait-for-withdrawal.js';
import { endingChange, moveWithdrawal } from './withdrawal-changes.js';

export type CancelWithdrawal = {
  readonly id: WithdrawalId;
  readonly reason?: string | undefined;
  readonly canceledBy?: string | undefined;
};

/** Cancels a withdrawal that was not committed, and waits until its amount is available again. */
export async function cancelWithdrawal(deps: Deps, input: CancelWithdrawal, ctx: Context): Promise<Withdrawal> {
  deps.runs.requireAccepting();
  const { id, reason = null, canceledBy = ctx.caller.id } = input;
  const wanted = { marketplaceId: ctx.caller.marketplaceId, id };
  const runId = await deps.perform<SagaRunId>({ name: 'cancel-withdrawal', input, ctx }, async (tx) => {
    const before = await lockIdleWithdrawal(tx, wanted);
    moveWithdrawal(before, 'cancel');
    const change = endingChange(before, { move: 'cancel', canceledBy, reason });
    const { activeRun } = applyChange(tx, withdrawalKind, before, { change, origin: originOfRequest(ctx) });
    if (activeRun === null) throw new Error(`The cancellation of ${id} has no saga run.`);
    return activeRun.runId;
  });
  await waitForRun(deps, id, runId);
  return requireWithdrawal(deps, wanted);
}
