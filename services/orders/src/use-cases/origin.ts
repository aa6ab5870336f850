import type { Context, Instant } from '@holdfast/kernel/context';
import { predecessorEventId, type Envelope } from '@holdfast/contracts/messages';
import type { MessageId, SagaRunId } from '@holdfast/kernel/ids';
import type { Actor, Order, SagaName } from '../domain/order.js';

/** Where a change comes from. */
export type Origin = {
  readonly actor: Actor;
  readonly at: Instant;
  readonly correlationId: string;
  readonly causationId?: MessageId;
  /** The event that has to be shown before whatever is told of the change. */
  readonly afterEventId?: MessageId;
  /** The saga run that it belongs to. Within a run each message is published once: publishing it again is the same message. */
  readonly run?: RunRef;
};

export type RunRef = { readonly saga: SagaName; readonly runId: SagaRunId };

export function originOfRequest({ caller, at, requestId }: Context, run?: RunRef): Origin {
  const actor = { type: caller.type, id: caller.id };
  return { actor, at, correlationId: requestId, ...(run === undefined ? {} : { run }) };
}

/** Nobody here asked for it: it was seen on the ledger network. */
export const ledgerNetworkActor: Actor = { type: 'system', id: 'ledger-network' };

export function originOfMessage(message: Envelope, { at, requestId }: Context, { activeRun }: Pick<Order, 'activeRun'>): Origin {
  const afterEventId = predecessorEventId(message);
  const cause = { causationId: message.id, ...(afterEventId === undefined ? {} : { afterEventId }) };
  const origin = { ...cause, at, correlationId: requestId };
  if (activeRun === null) return { ...origin, actor: ledgerNetworkActor };
  const { actor, saga, runId } = activeRun;
  return { ...origin, actor, run: { saga, runId } };
}
