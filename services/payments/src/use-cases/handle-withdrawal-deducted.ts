import { type Envelope, type Payload, type balanceWithdrawalDeducted } from '@holdfast/contracts/messages';
import type { Published } from '@holdfast/contracts/sagas';
import type { Context } from '@holdfast/kernel/context';
import { handleWithdrawalReply } from './handle-withdrawal-reply.js';
import type { Deps } from './ports.js';
import { moveWithdrawal, statusChange } from './withdrawal-changes.js';
import { completedEvent } from './withdrawal-events.js';

/** The amount is deducted: the withdrawal is completed. */
export function handleWithdrawalDeducted(
  deps: Deps,
  message: Envelope<Payload<typeof balanceWithdrawalDeducted>>,
  ctx: Context,
): Promise<Published<'withdrawal.completed'>> {
  return handleWithdrawalReply(deps, message, ctx, (before) => {
    const completedAt = before.outcome?.move === 'complete' ? before.outcome.completedAt : ctx.at;
    const after = { ...moveWithdrawal(before, 'complete'), completedAt };
    return statusChange(before, after, completedEvent(after, completedAt));
  });
}
