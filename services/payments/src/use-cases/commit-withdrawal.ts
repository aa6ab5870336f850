import type { Context } from '@holdfast/kernel/context';
import type { WithdrawalId } from '@holdfast/kernel/ids';
import type { Money } from '@holdfast/kernel/money';
import { applyChange, originOfRequest } from '@holdfast/sagas';
import type { Withdrawal } from '../domain/withdrawal.js';
import { withdrawalKind } from './aggregate-kinds.js';
import type { Deps } from './ports.js';
import { requireNoHold } from './require-no-hold.js';
import { lockIdleWithdrawal, requireWithdrawal } from './require-withdrawal.js';
import { settled } from './settled.js';
import { waitForWithdrawal } from './payment-waits.js';
import { commitChange, moveWithdrawal, requestPayout } from './withdrawal-changes.js';
import { requireActiveUser } from './withdrawal-checks.js';

/** Whether the provider has accepted or refused the payout, or the withdrawal has ended. */
export function isAcknowledged({ status }: Withdrawal): boolean {
  return status !== 'WITHDRAWAL_CREATED' && status !== 'WITHDRAWAL_COMMITTED';
}

/**
 * Commits a withdrawal: its money is sent. The response waits until the provider has accepted or refused it. A refused payout is not an
 * error of this request; its record is WITHDRAWAL_FAILED with the reason.
 */
export async function commitWithdrawal(deps: Deps, { id }: { readonly id: WithdrawalId }, ctx: Context): Promise<Withdrawal> {
  deps.runs.requireAccepting();
  const wanted = { marketplaceId: ctx.caller.marketplaceId, id };
  const checked = await settled(check(deps, await requireWithdrawal(deps, wanted), ctx));
  await deps.perform({ name: 'commit-withdrawal', input: { id }, ctx }, async (tx) => {
    const before = await lockIdleWithdrawal(tx, wanted);
    moveWithdrawal(before, 'commit'); // a wrong state is refused before anything that was checked
    const change = commitChange(before, checked(), ctx.at);
    const after = applyChange(tx, withdrawalKind, before, { change, origin: originOfRequest(ctx) });
    requestPayout(tx, after, ctx.requestId);
    return { id };
  });
  return waitForWithdrawal(deps, wanted, isAcknowledged);
}

/** The available balance, which the event shows. */
async function check(deps: Deps, { userId, amount }: Withdrawal, ctx: Context): Promise<Money> {
  await requireActiveUser(deps, userId, ctx);
  await requireNoHold(deps, userId, ctx);
  await deps.emergencyStop.requireNotStopped();
  return deps.balances.available({ userId, currency: amount.currency }, ctx);
}
