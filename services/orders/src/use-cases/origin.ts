import type { Context, Instant } from '@holdfast/kernel/context';
import { predecessorEventId, type Envelope } from '@holdfast/contracts/messages';
import type { MessageId, SagaRunId } from '@holdfast/kernel/ids';
import type { Actor, Order, SagaName } from '../domain/order.js';

/** The request or message that a change comes from. */
export type Origin = {
  readonly actor: Actor;
  readonly at: Instant;
  readonly correlationId: string;
  readonly causationId?: MessageId;
  /** The predecessor of the events that the change publishes. */
  readonly afterEventId?: MessageId;
  /**
   * The saga run that the change belongs to. Within a run the id of a message follows from its type, so a repeat is a duplicate.
   */
  readonly run?: RunRef;
};

export type RunRef = { readonly saga: SagaName; readonly runId: SagaRunId };

export function originOfRequest({ caller, at, requestId }: Context, run?: RunRef): Origin {
  const actor = { type: caller.type, id: caller.id };
  return { actor, at, correlationId: requestId, ...(run === undefined ? {} : { run }) };
}

/** The actor of changes that no request caused: they were observed on the ledger network. */
export const ledgerNetworkActor: Actor = { type: 'system', id: 'ledger-network' };

export function originOfMessage(message: Envelope, { at, requestId }: Context, { activeRun }: Pick<Order, 'activeRun'>): Origin {
  const afterEventId = predecessorEventId(message);
  const cause = { causationId: message.id, ...(afterEventId === undefined ? {} : { afterEventId }) };
  const origin = { ...cause, at, correlationId: requestId };
  if (activeRun === null) return { ...origin, actor: ledgerNetworkActor };
  const { actor, saga, runId } = activeRun;
  return { ...origin, actor, run: { saga, runId } };
}
