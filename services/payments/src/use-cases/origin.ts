import type { Context, Instant } from '@holdfast/kernel/context';
import { causeEventId, predecessorEventId, type Envelope, type PublishingStep } from '@holdfast/contracts/messages';
import type { MessageId, SagaRunId } from '@holdfast/kernel/ids';
import type { Actor, ActiveRun, SagaName } from '../domain/aggregate.js';

export type RunRef = { readonly saga: SagaName; readonly runId: SagaRunId };

/** The request, message or provider update that a change comes from. */
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
  /** The step that the ids of the messages follow from, so that a repeat is a duplicate. */
  readonly step?: PublishingStep;
};

export function originOfRequest({ caller, at, requestId }: Context): Origin {
  return { actor: { type: caller.type, id: caller.id }, at, correlationId: requestId };
}

/** The actor of changes that were learned from the payment provider. */
const paymentProviderActor: Actor = { type: 'system', id: 'payment-provider' };

/** The actor of changes that the service makes by itself, such as expiry. */
export const serviceActor: Actor = { type: 'system', id: 'payments' };

export function originOfProvider(at: Instant, correlationId: string): Origin {
  return { actor: paymentProviderActor, at, correlationId };
}

export function originOfReply(message: Envelope, { at, requestId }: Context, { actor, saga, runId }: ActiveRun): Origin {
  return {
    actor,
    at,
    correlationId: requestId,
    causationId: causeEventId(message),
    afterEventId: predecessorEventId(message),
    run: { saga, runId },
    step: { cause: runId, name: message.type, at: message.occurredAt },
  };
}

/** The first step of a run, which publishes its command. The same when the command is resent. */
export function startOf({ runId, startedAt }: Pick<ActiveRun, 'runId' | 'startedAt'>): PublishingStep {
  return { cause: runId, name: 'start', at: startedAt };
}
