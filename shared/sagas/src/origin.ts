import { causeEventId, predecessorEventId, type Envelope, type PublishingStep } from '@holdfast/contracts/messages';
import type { Context, Instant } from '@holdfast/kernel/context';
import type { MessageId, SagaRunId } from '@holdfast/kernel/ids';
import type { ActiveRun, Actor, Aggregate } from './aggregate.js';

export type RunRef = { readonly saga: string; readonly runId: SagaRunId };

/** The request, message or observation that a change comes from. */
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
  /** Whether the messages may have been published before, with the same ids. */
  readonly isRepeated?: boolean;
};

/** `run` is the run that the request starts, if its events are to belong to it. */
export function originOfRequest({ caller, at, requestId }: Context, run?: RunRef): Origin {
  const actor = { type: caller.type, id: caller.id };
  const ofRun = run === undefined ? {} : { run, step: startOf({ ...run, startedAt: at }) };
  return { actor, at, correlationId: requestId, ...ofRun };
}

/** The first step of a run, which publishes its command. The same when the command is resent. */
export function startOf({ runId, startedAt }: Pick<ActiveRun, 'runId' | 'startedAt'>): PublishingStep {
  return { cause: runId, name: 'start', at: startedAt };
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

/** A reply to any other run is ignored, because the message that ended that run has already decided the aggregate. */
export function isReplyToActiveRun({ saga, sagaRunId }: Envelope, { activeRun }: Pick<Aggregate, 'activeRun'>): boolean {
  return activeRun !== null && activeRun.runId === sagaRunId && activeRun.saga === saga;
}
