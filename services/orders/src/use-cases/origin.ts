import type { Context, Instant } from '@holdfast/kernel/context';
import { causeEventId, predecessorEventId, type Envelope, type PublishingStep } from '@holdfast/contracts/messages';
import type { MessageId, SagaRunId } from '@holdfast/kernel/ids';
import type { Actor, Order, SagaName } from '../domain/order.js';

/** The request or message that a change comes from. */
export type Origin = {
  readonly actor: Actor;
  readonly at: Instant;
  readonly correlationId: string;
  /** The public event that caused the change. */
  readonly causationId?: MessageId | undefined;
  /** The predecessor of the events that the change publishes. */
  readonly afterEventId?: MessageId | undefined;
  /** The saga run that the change belongs to. */
  readonly run?: RunRef;
  /** The step that the ids of the messages follow from, so that a repeat is a duplicate. Absent for a request outside a saga. */
  readonly step?: PublishingStep;
};

export type RunRef = { readonly saga: SagaName; readonly runId: SagaRunId };

export function originOfRequest({ caller, at, requestId }: Context, run?: RunRef): Origin {
  const actor = { type: caller.type, id: caller.id };
  return { actor, at, correlationId: requestId, ...(run === undefined ? {} : { run, step: startOf(run, at) }) };
}

/** The first step of a run, which publishes its command. `at` is the `startedAt` of the run, also when the command is resent. */
export function startOf({ runId }: RunRef, at: Instant): PublishingStep {
  return { cause: runId, name: 'start', at };
}

/** The first step of the run that follows in the same commit. */
export function originOfNextRun({ actor, at, correlationId, causationId }: Origin, run: RunRef): Origin {
  return { actor, at, correlationId, causationId, run, step: startOf(run, at) };
}

/** The actor of changes that no request caused: they were observed on the ledger network. */
export const ledgerNetworkActor: Actor = { type: 'system', id: 'ledger-network' };

export function originOfMessage(message: Envelope, { at, requestId }: Context, { activeRun }: Pick<Order, 'activeRun'>): Origin {
  const { id, type, occurredAt } = message;
  const origin = { causationId: causeEventId(message), afterEventId: predecessorEventId(message), at, correlationId: requestId };
  const stepOf = (cause: string): PublishingStep => ({ cause, name: type, at: occurredAt });
  if (activeRun === null) return { ...origin, actor: ledgerNetworkActor, step: stepOf(id) };
  const { actor, saga, runId } = activeRun;
  return { ...origin, actor, run: { saga, runId }, step: stepOf(runId) };
}
