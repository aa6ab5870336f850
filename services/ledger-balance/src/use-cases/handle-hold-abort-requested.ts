import type { Context } from '@holdfast/kernel/context';
import type { Envelope, MessageDeclaration } from '@holdfast/contracts/messages';
import type { MessageId } from '@holdfast/kernel/ids';
import type { Deps } from './ports.js';

/** The command of the run, and the funds that it would have reserved. */
type AbortedHold = { readonly commandId: MessageId; readonly userId: string; readonly currency: string };

/** Refuses the hold of a run that is past its deadline, for good. A hold that was placed or refused stays as it is. */
export async function handleHoldAbortRequested(
  deps: Deps,
  message: Envelope<AbortedHold>,
  refusal: MessageDeclaration,
  ctx: Context,
): Promise<void> {
  const { commandId, ...funds } = message.payload;
  const { sagaRunId, aggregateId } = message;
  const isAborted = await deps.abortRun(message, {
    commandId,
    // The reply changes no balance, so it carries no version of one.
    reply: {
      declaration: refusal,
      aggregateId: funds.userId,
      aggregatePart: funds.currency,
      aggregateVersion: 0,
      payload: { ...funds, code: 'PROVIDER_TIMEOUT', details: { sagaRunId, isAborted: true } },
    },
  });
  ctx.log.warn({ aggregateId, sagaRunId, isAborted }, 'abort of a saga run requested');
}
