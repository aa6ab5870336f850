import type { Context } from '@holdfast/kernel/context';
import {
  balanceWithdrawalRefused,
  type Envelope,
  type Payload,
  type withdrawalAbortRequested,
} from '@holdfast/contracts/messages';
import type { Deps } from './ports.js';

/** Refuses the hold of a withdraw run that is past its deadline, for good. A hold that was placed or refused stays as it is. */
export async function handleWithdrawalAbortRequested(
  deps: Deps,
  message: Envelope<Payload<typeof withdrawalAbortRequested>>,
  ctx: Context,
): Promise<void> {
  const { commandId, ...funds } = message.payload;
  const { sagaRunId } = message;
  const payload = { ...funds, code: 'PROVIDER_TIMEOUT', details: { sagaRunId, isAborted: true } };
  const isAborted = await deps.abortRun(message, {
    commandId,
    // The reply changes no balance, so it carries no version of one.
    reply: {
      declaration: balanceWithdrawalRefused,
      aggregateId: funds.userId,
      aggregatePart: funds.currency,
      aggregateVersion: 0,
      payload,
    },
  });
  ctx.log.warn({ withdrawalId: funds.withdrawalId, sagaRunId, isAborted }, 'abort of a saga run requested');
}
