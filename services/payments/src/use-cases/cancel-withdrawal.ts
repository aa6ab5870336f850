import type { Context } from '@holdfast/kernel/context';
import { AppError } from '@holdfast/kernel/errors';
import type { SagaRunId, WithdrawalId } from '@holdfast/kernel/ids';
import { applyChange, originOfRequest } from '@holdfast/sagas';
import type { Withdrawal, WithdrawalCancelRequest } from '../domain/withdrawal.js';
import { withdrawalKind } from './aggregate-kinds.js';
import type { Deps, UnitOfWork } from './ports.js';
import { lockVisibleWithdrawal, requireIdle, requireWithdrawal } from './require-withdrawal.js';
import { waitForRun, waitForWithdrawal } from './payment-waits.js';
import { freeChange, moveWithdrawal } from './withdrawal-changes.js';

export type CancelWithdrawal = {
  readonly id: WithdrawalId;
  readonly reason?: string | undefined;
  readonly canceledBy?: string | undefined;
};

/** The run that frees the amount. Null where what sends the payout decides whether it is canceled. */
type Begun = SagaRunId | null;

/**
 * Cancels a withdrawal before its payout was sent, and waits until its amount is available again. INVALID_STATE if the payout was
 * faster.
 */
export async function cancelWithdrawal(deps: Deps, input: CancelWithdrawal, ctx: Context): Promise<Withdrawal> {
  deps.runs.requireAccepting();
  const { id, reason = null, canceledBy = ctx.caller.id } = input;
  const wanted = { marketplaceId: ctx.caller.marketplaceId, id };
  const request = { canceledBy, reason };
  const runId = await deps.perform<Begun>({ name: 'cancel-withdrawal', input, ctx }, async (tx) => {
    const before = await lockVisibleWithdrawal(tx, wanted);
    if (before.status === 'WITHDRAWAL_COMMITTED') return requestCancellation(tx, before, request);
    return cancel(tx, requireIdle(before), request, ctx);
  });
  if (runId === null) return waitForCancellation(deps, wanted, ctx);
  await waitForRun(deps, runId, { withdrawalId: id });
  return requireWithdrawal(deps, wanted);
}

function cancel(tx: UnitOfWork, before: Withdrawal, request: WithdrawalCancelRequest, ctx: Context): SagaRunId {
  moveWithdrawal(before, 'cancel');
  const change = freeChange(before, { move: 'cancel', ...request });
  const { activeRun } = applyChange(tx, withdrawalKind, before, { change, origin: originOfRequest(ctx) });
  if (activeRun === null) throw new Error(`The cancellation of ${before.id} has no saga run.`);
  return activeRun.runId;
}

/** A run of the payout that begins after this commit sends nothing. One that has begun before may be faster. */
export async function requestCancellation(tx: UnitOfWork, before: Withdrawal, request: WithdrawalCancelRequest): Promise<Begun> {
  const { id, status, outcome, activeRun, destinationType } = before;
  if (outcome !== null) throw new AppError('INVALID_STATE', { currentStatus: status, operation: activeRun?.saga ?? null });
  tx.withdrawals.save({ ...before, cancelRequest: before.cancelRequest ?? request });
  const intentId = destinationType === 'ledger' ? undefined : await tx.intents.findOpen(id);
  if (intentId !== undefined) tx.intents.wake(intentId);
  return null;
}

type Wanted = { readonly marketplaceId: Withdrawal['marketplaceId']; readonly id: WithdrawalId };

async function waitForCancellation(deps: Deps, wanted: Wanted, ctx: Context): Promise<Withdrawal> {
  const { destinationType, outcome } = await requireWithdrawal(deps, wanted);
  if (destinationType === 'ledger' && outcome === null) await deps.ledgerPayouts.requestCancellation(wanted.id, ctx);
  const seen = await waitForWithdrawal(deps, wanted, isDecided);
  // The payout may have ended between the two reads of its withdrawal and of its intent.
  const ended = isDecided(seen) ? seen : await waitForWithdrawal(deps, wanted, isDecided);
  if (!isDecided(ended)) throw new AppError('PROVIDER_TIMEOUT', { withdrawalId: wanted.id });
  if (ended.status !== 'WITHDRAWAL_CANCELED') moveWithdrawal(ended, 'cancel');
  return ended;
}

function isDecided({ status }: Withdrawal): boolean {
  return status !== 'WITHDRAWAL_COMMITTED';
}
