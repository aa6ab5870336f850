import type { balanceWithdrawalFreed, Envelope, Payload } from '@holdfast/contracts/messages';
import type { Published } from '@holdfast/contracts/sagas';
import type { Context } from '@holdfast/kernel/context';
import type { Change } from '@holdfast/sagas';
import type { Withdrawal } from '../domain/withdrawal.js';
import { handleWithdrawalReply } from './handle-withdrawal-reply.js';
import type { Deps } from './ports.js';
import { moveWithdrawal, statusChange } from './withdrawal-changes.js';
import { canceledEvent, failedEvent } from './withdrawal-events.js';

type EndEvent = 'withdrawal.failed' | 'withdrawal.canceled';

/** The amount is available again: the withdrawal has failed or is canceled. */
export function handleWithdrawalFreed(
  deps: Deps,
  message: Envelope<Payload<typeof balanceWithdrawalFreed>>,
  ctx: Context,
): Promise<Published<EndEvent>> {
  const { availableBalance } = message.payload;
  return handleWithdrawalReply(deps, message, ctx, (before) => endOf(before, availableBalance));
}

function endOf(before: Withdrawal, availableBalance: string): Change<Withdrawal, EndEvent> {
  const { id, outcome } = before;
  switch (outcome?.move) {
    case 'fail': {
      const { reason, errorCode } = outcome;
      const after = { ...moveWithdrawal(before, 'fail'), failureReason: reason, errorCode };
      return statusChange(before, after, failedEvent(after, outcome), reason);
    }
    case 'cancel': {
      const after = moveWithdrawal(before, 'cancel');
      return statusChange(before, after, canceledEvent(after, outcome, availableBalance), outcome.reason);
    }
    default:
      throw new Error(`The amount of withdrawal ${id} was released, but it has neither failed nor been canceled.`);
  }
}
