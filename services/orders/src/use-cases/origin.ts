import type { Context, Instant } from '@holdfast/shared/context';
import { eventToFollow, type Envelope } from '@holdfast/shared/contracts/messages';
import type { MessageId, SagaRunId } from '@holdfast/shared/ids';
import type { Actor, Order } from '../domain/order.js';

/** Where a change comes from. */
export type Origin = {
  readonly actor: Actor;
  readonly at: Instant;
  readonly correlationId: string;
  readonly causationId?: MessageId;
  /** The event that has to be shown before whatever is told of the change. */
  readonly afterEventId?: MessageId;
  /** Within a run each kind of message is told once: telling it again is telling the same message. */
  readonly runId?: SagaRunId;
};

export function originOfRequest({ caller, at, requestId }: Context, runId?: SagaRunId): Origin {
  const actor = { type: caller.type, id: caller.id };
  return { actor, at, correlationId: requestId, ...(runId === undefined ? {} : { runId }) };
}

/** Nobody here asked for it: it was seen on the ledger network. */
export const outside: Actor = { type: 'system', id: 'ledger-network' };

export function originOfMessage(message: Envelope, { at, requestId }: Context, { operation }: Pick<Order, 'operation'>): Origin {
  const afterEventId = eventToFollow(message);
  const cause = { causationId: message.id, ...(afterEventId === undefined ? {} : { afterEventId }) };
  const origin = { ...cause, at, correlationId: requestId };
  return operation === null ? { ...origin, actor: outside } : { ...origin, actor: operation.actor, runId: operation.runId };
}
