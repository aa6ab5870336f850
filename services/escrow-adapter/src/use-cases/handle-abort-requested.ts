import type { Context } from '@holdfast/kernel/context';
import {
  causeEventId,
  escrowCreationFailed,
  escrowFundingFailed,
  escrowSettlementFailed,
  predecessorEventId,
  stepMessageIds,
  type Envelope,
  type escrowAbortRequested,
  type MessageDeclaration,
  type Payload,
} from '@holdfast/contracts/messages';
import { published, type Published } from '@holdfast/contracts/sagas';
import type { Deps } from './ports.js';

type AbortRequest = Payload<typeof escrowAbortRequested>;
type AbortReply<Type extends string> = {
  readonly declaration: MessageDeclaration & { readonly type: Type };
  readonly payload: unknown;
};

const reason = 'the saga run was aborted at its deadline';

export function handleDeployAbortRequested(
  deps: Deps,
  message: Envelope<AbortRequest>,
  ctx: Context,
): Promise<Published<'escrow.creation_failed'>> {
  const { escrowId, orderId } = message.payload;
  return abort(deps, message, reply(escrowCreationFailed, { escrowId, orderId, reason }), ctx);
}

/** The ledger restores the deduction, or refuses it from now on if it has not happened yet. */
export function handleFundAbortRequested(
  deps: Deps,
  message: Envelope<AbortRequest>,
  ctx: Context,
): Promise<Published<'escrow.funding_failed'>> {
  const { commandId: abortedCommandId, ...escrow } = message.payload;
  return abort(deps, message, reply(escrowFundingFailed, { ...escrow, reason, abortedCommandId }), ctx);
}

export function handleSettleAbortRequested(
  deps: Deps,
  message: Envelope<AbortRequest>,
  ctx: Context,
): Promise<Published<'escrow.settlement_failed'>> {
  const { escrowId, orderId } = message.payload;
  return abort(deps, message, reply(escrowSettlementFailed, { escrowId, orderId, reason, isDisputed: false }), ctx);
}

function reply<M extends MessageDeclaration>(declaration: M, payload: Payload<M>): AbortReply<M['type']> {
  return { declaration, payload };
}

/** Refuses the command of the run from now on and publishes the reply, unless the intent is stored: then its outcome ends the run. */
async function abort<Type extends string>(
  deps: Deps,
  message: Envelope<AbortRequest>,
  abortReply: AbortReply<Type>,
  ctx: Context,
): Promise<Published<Type>> {
  const { marketplaceId, correlationId, saga, sagaRunId, payload, type, occurredAt } = message;
  if (saga === undefined || sagaRunId === undefined) throw new Error('an abort names its saga run');
  const { escrowId, orderId } = payload;
  const id = stepMessageIds({ cause: sagaRunId, name: type, at: occurredAt })(abortReply.declaration.type);
  const cause = { causationId: causeEventId(message), afterEventId: predecessorEventId(message) };
  const frame = { ...cause, id, marketplaceId, correlationId, saga, sagaRunId };
  const isAborted = await deps.inTransaction((tx) =>
    deps.abortRun(tx, {
      message,
      // The contract of a deployment does not exist yet, so the reply has no version of it.
      publish: () => deps.publish(tx, { ...frame, ...abortReply, escrowId, version: 0 }),
    }),
  );
  ctx.log.warn({ orderId, escrowId, saga, sagaRunId, isAborted }, 'abort of a saga run requested');
  return published;
}
