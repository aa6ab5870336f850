import type { Envelope, Payload, withdrawalLedgerPayoutFailed, withdrawalLedgerPayoutLanded } from '@holdfast/contracts/messages';
import type { Published } from '@holdfast/contracts/sagas';
import type { Context } from '@holdfast/kernel/context';
import { handleWithdrawalReply } from './handle-withdrawal-reply.js';
import type { Deps } from './ports.js';
import { acceptChange, inSequence, paidChange, unpaidChange } from './withdrawal-changes.js';

/** The payment is final on the ledger network: the amount is deducted. */
export function handleLedgerPayoutLanded(
  deps: Deps,
  message: Envelope<Payload<typeof withdrawalLedgerPayoutLanded>>,
  ctx: Context,
): Promise<Published<'withdrawal.pending'>> {
  const { transactionHash } = message.payload;
  return handleWithdrawalReply(deps, message, ctx, (before) =>
    inSequence(acceptChange(before, transactionHash), (accepted) => paidChange(accepted, ctx.at)),
  );
}

/** No money left: the amount is released. */
export function handleLedgerPayoutFailed(
  deps: Deps,
  message: Envelope<Payload<typeof withdrawalLedgerPayoutFailed>>,
  ctx: Context,
): Promise<Published> {
  const { reason, errorCode = null } = message.payload;
  return handleWithdrawalReply(deps, message, ctx, (before) => unpaidChange(before, { reason, errorCode }));
}
