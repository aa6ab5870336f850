import {
  auditRecorded,
  stepMessageIds,
  type AuditFact,
  type MessageDeclaration,
  type Payload,
} from '@holdfast/contracts/messages';
import { toEpochMs } from '@holdfast/kernel/context';
import { idFromParts, type MessageId } from '@holdfast/kernel/ids';
import type {
  ActiveRun,
  Aggregate,
  AggregateKind,
  AggregateRef,
  Change,
  Event,
  NewAuditEntry,
  OutgoingMessage,
  RunEnd,
  SagaCommand,
  SagaTx,
  Start,
} from './aggregate.js';
import { startOf, type Origin } from './origin.js';
import type { Failure, SagaOutcome } from './saga-run.js';

export function event<M extends MessageDeclaration>(declaration: M, payload: Payload<M>): Event<M['type']> {
  return { declaration, payload };
}

/** The command of a saga in an `AggregateKind`. */
export function command<A, M extends MessageDeclaration>(
  declaration: M,
  payloadOf: SagaCommand<A, M>['payloadOf'],
): SagaCommand<A, M> {
  return { declaration, payloadOf };
}

type Applied<A extends Aggregate> = { readonly change: Change<A>; readonly origin: Origin };

/** Saves the aggregate, starts the saga and publishes events, command and audit entries in the unit of work. */
export function applyChange<A extends Aggregate, Tx extends SagaTx>(
  tx: Tx,
  kind: AggregateKind<A, Tx>,
  before: A,
  { change, origin }: Applied<A>,
): A {
  const updatedAt = origin.at > before.updatedAt ? origin.at : before.updatedAt;
  const activeRun = change.starts === undefined ? change.after.activeRun : startRun(tx, before, change.starts, origin);
  const changed = { ...change.after, activeRun, updatedAt, lastEventId: recentEventId(before, origin) };
  const after = publishMessages(tx, kind, changed, { change, origin });
  kind.save(tx, after, before);
  return after;
}

function startRun<A extends Aggregate>(tx: SagaTx, { id, marketplaceId }: A, starts: Start<A>, origin: Origin): ActiveRun {
  const { saga, runId = tx.newId('run'), input } = starts;
  const { actor, at, correlationId } = origin;
  tx.runs.start({ id: runId, saga, aggregateId: id, marketplaceId, correlationId });
  return { ...input, runId, saga, actor, startedAt: at };
}

/** Ends the active run with the change: another saga may start, and waiting requests get the outcome. */
export function endRun<A extends Aggregate, Tx extends SagaTx>(
  tx: Tx,
  kind: AggregateKind<A, Tx>,
  before: A,
  { change: { failure, ...change }, origin }: { readonly change: RunEnd<A>; readonly origin: Origin },
): A {
  const after = applyChange(tx, kind, before, { change: { ...change, after: { ...change.after, activeRun: null } }, origin });
  if (before.activeRun !== null) tx.runs.close(before.activeRun.runId, outcomeOf(kind, after, failure));
  return after;
}

/** The outcome of a run that ends with this aggregate. */
export function outcomeOf<A extends Aggregate, Tx extends SagaTx>(
  { recordOf }: Pick<AggregateKind<A, Tx>, 'recordOf'>,
  aggregate: A,
  failure: Failure | undefined,
): SagaOutcome {
  if (failure !== undefined) return { ...failure, status: 'failed' };
  return recordOf === undefined ? { status: 'succeeded' } : { status: 'succeeded', record: recordOf(aggregate) };
}

/** An older event is in the event log by now, so naming it as predecessor would only make the log search far back. */
const predecessorMaxAgeMs = 60_000;

function recentEventId({ lastEventId, updatedAt }: Aggregate, { at }: Origin): MessageId | null {
  return toEpochMs(at) - toEpochMs(updatedAt) < predecessorMaxAgeMs ? lastEventId : null;
}

/**
 * Publishes the events in order, then the command of a started run, then the audit entries. Each event is the next version of its
 * aggregate, without gaps. Returns the aggregate with these versions.
 */
function publishMessages<A extends Aggregate, Tx extends SagaTx>(
  tx: Tx,
  kind: AggregateKind<A, Tx>,
  aggregate: A,
  { change: { events, auditEntries, starts }, origin }: Applied<A>,
): A {
  const messageId = messageIdsOf(origin);
  const eventIds = new Map<string, MessageId>();
  // An event caused by a reply follows the reply's predecessor event; every other event follows the last event of the aggregate.
  let current: A = { ...aggregate, lastEventId: origin.afterEventId ?? aggregate.lastEventId };
  for (const { declaration, payload } of events) {
    const afterEventId = current.lastEventId ?? undefined;
    current = nextVersion(kind, current, declaration);
    const ref = refOf(kind, current, declaration);
    const id = messageId(declaration.type) ?? versionId(ref, origin);
    tx.publish({ ...envelopeOf(current, origin), ...ref, id, afterEventId, declaration, payload });
    eventIds.set(declaration.type, id);
    current = { ...current, lastEventId: id };
  }
  if (starts !== undefined) {
    assertNamed(kind, current, starts.command);
    publishCommand(tx, kind, current, { ...origin, causationId: [...eventIds.values()].at(-1) ?? origin.causationId });
  }
  publishAuditEntries(tx, kind, current, { auditEntries, origin, messageId, eventIds });
  return current;
}

/** The change names the command that is published, and the kind has its payload. */
function assertNamed<A extends Aggregate, Tx extends SagaTx>(
  kind: AggregateKind<A, Tx>,
  aggregate: A,
  named: MessageDeclaration,
): void {
  const { type } = sagaCommandOf(kind, aggregate)?.declaration ?? named;
  if (type !== named.type) throw new Error(`the change names ${named.type}, but its saga sends ${type}`);
}

function nextVersion<A extends Aggregate, Tx extends SagaTx>(
  { withNextVersion }: AggregateKind<A, Tx>,
  aggregate: A,
  declaration: MessageDeclaration,
): A {
  return withNextVersion?.(aggregate, declaration) ?? { ...aggregate, version: aggregate.version + 1 };
}

function refOf<A extends Aggregate, Tx extends SagaTx>(
  { partOf }: AggregateKind<A, Tx>,
  aggregate: A,
  declaration: MessageDeclaration,
): AggregateRef {
  return partOf?.(aggregate, declaration) ?? { aggregateId: aggregate.id, aggregateVersion: aggregate.version };
}

/** The id of an event that a request outside a saga publishes. A repeated decision of the request has the same version. */
function versionId({ aggregateId, aggregateVersion }: AggregateRef, { at }: Origin): MessageId {
  return idFromParts('evt', at, [aggregateId, aggregateVersion.toString()]);
}

/** Publishes the command of the active run; resending it publishes the same message. Returns whether there is one. */
export function publishCommand<A extends Aggregate, Tx extends SagaTx>(
  tx: Tx,
  kind: AggregateKind<A, Tx>,
  aggregate: A,
  origin: Origin,
): boolean {
  const { activeRun } = aggregate;
  const sent = commandOf(kind, aggregate);
  if (activeRun === null || sent === undefined) return false;
  const step = startOf(activeRun);
  const id = stepMessageIds(step)(sent.declaration.type);
  tx.publish({
    ...commandFields(kind, aggregate, sent),
    ...envelopeOf(aggregate, { ...origin, run: activeRun }),
    id,
    occurredAt: step.at,
  });
  return true;
}

/** Undefined if no run is active, or if it has nothing to command yet. */
function commandOf<A extends Aggregate, Tx extends SagaTx>(kind: AggregateKind<A, Tx>, aggregate: A): Event | undefined {
  const sent = sagaCommandOf(kind, aggregate);
  const payload = sent?.payloadOf(aggregate);
  return sent === undefined || payload === undefined ? undefined : { declaration: sent.declaration, payload };
}

function sagaCommandOf<A extends Aggregate, Tx extends SagaTx>(
  { commands }: AggregateKind<A, Tx>,
  { activeRun }: A,
): SagaCommand<A> | undefined {
  const ofSagas: Readonly<Record<string, SagaCommand<A>>> = commands;
  return activeRun === null ? undefined : ofSagas[activeRun.saga];
}

/**
 * Publishes the abort command of the active run with its audit entry; a repeat publishes the same messages. The aggregate stays as
 * it is, because only the service of the point of no return knows whether the run can still be aborted. Its reply ends the run.
 * Returns false if the run cannot be aborted.
 */
export function publishAbort<A extends Aggregate, Tx extends SagaTx>(
  tx: Tx,
  kind: AggregateKind<A, Tx>,
  aggregate: A,
  origin: Origin,
): boolean {
  const { activeRun, status } = aggregate;
  const aborted = commandOf(kind, aggregate);
  if (activeRun === null || aborted === undefined) return false;
  const abort = kind.abortOf?.(aggregate, stepMessageIds(startOf(activeRun))(aborted.declaration.type));
  if (abort === undefined) return false;
  const { runId, saga, startedAt } = activeRun;
  const step = { cause: runId, name: 'abort', at: startedAt };
  const ofRun = { ...origin, run: { saga, runId }, step };
  const id = stepMessageIds(step)(abort.declaration.type);
  tx.publish({ ...commandFields(kind, aggregate, abort), ...envelopeOf(aggregate, ofRun), id, occurredAt: step.at });
  const state = { status, saga };
  const entry = { action: 'SAGA_ABORT_REQUESTED', reason: abortReason, before: state, after: state };
  publishAuditEntries(tx, kind, aggregate, { auditEntries: [entry], origin: ofRun });
  return true;
}

const abortReason = 'the saga run is past its deadline';

function commandFields<A extends Aggregate, Tx extends SagaTx>(kind: AggregateKind<A, Tx>, aggregate: A, sent: Event) {
  return { ...refOf(kind, aggregate, sent.declaration), ...sent, afterEventId: aggregate.lastEventId ?? undefined };
}

type AuditEntries = {
  readonly auditEntries: readonly NewAuditEntry[];
  readonly origin: Origin;
  readonly messageId?: (name: string) => MessageId | undefined;
  /** The events of the same change, by type. */
  readonly eventIds?: ReadonlyMap<string, MessageId>;
};

/** For a change that publishes nothing else, also of something that is not stored with the aggregate. */
export function publishAuditEntries<A extends Aggregate, Tx extends SagaTx>(
  tx: Tx,
  kind: AggregateKind<A, Tx>,
  aggregate: A,
  { auditEntries, origin, messageId = messageIdsOf(origin), eventIds }: AuditEntries,
): void {
  for (const entry of auditEntries) {
    tx.publish({
      ...envelopeOf(aggregate, origin),
      aggregateId: aggregate.id,
      aggregateVersion: aggregate.version,
      id: messageId(`${auditRecorded.type} ${entry.action}`),
      afterEventId: eventIds?.get(entry.reports ?? ''),
      declaration: auditRecorded,
      payload: auditFactOf(kind, aggregate, entry, origin),
    });
  }
}

function auditFactOf<A extends Aggregate, Tx extends SagaTx>(
  { audited }: AggregateKind<A, Tx>,
  aggregate: A,
  entry: NewAuditEntry,
  { actor, at }: Origin,
): AuditFact {
  return {
    action: entry.action,
    resourceId: aggregate.id,
    ...audited(aggregate, entry),
    actorType: actor.type,
    actorId: actor.id,
    result: entry.result ?? 'SUCCESS',
    reason: entry.reason ?? null,
    before: entry.before,
    after: entry.after,
    recordedAt: at,
  };
}

function messageIdsOf({ step }: Origin): (name: string) => MessageId | undefined {
  return step === undefined ? () => undefined : stepMessageIds(step);
}

function envelopeOf({ marketplaceId }: Aggregate, { correlationId, causationId, run, isRepeated }: Origin) {
  const ofRun: Pick<OutgoingMessage, 'saga' | 'sagaRunId'> = run === undefined ? {} : { saga: run.saga, sagaRunId: run.runId };
  return { marketplaceId, correlationId, causationId, isRepeated, ...ofRun };
}
