import { auditRecorded, stepMessageIds, type MessageDeclaration, type Payload } from '@holdfast/contracts/messages';
import { toEpochMs } from '@holdfast/kernel/context';
import { idFromParts, type MessageId } from '@holdfast/kernel/ids';
import type { ActiveRun, Aggregate, SagaName } from '../domain/aggregate.js';
import { auditFactOf, type AuditedResource, type NewAuditEntry } from './audit.js';
import { startOf, type Origin } from './origin.js';
import type { NewRun, OutgoingMessage, SagaOutcome, UnitOfWork } from './ports.js';

/** An event or command before it is published. Its aggregate and version follow from what it is published with. */
export type Event = { readonly declaration: MessageDeclaration; readonly payload: unknown };

export function event<M extends MessageDeclaration>(declaration: M, payload: Payload<M>): Event {
  return { declaration, payload };
}

/** A change of an aggregate: its new state, the public events, the audit entries, and the saga run that it starts or ends. */
export type Change<A extends Aggregate> = {
  readonly after: A;
  readonly events: readonly Event[];
  readonly auditEntries: readonly NewAuditEntry[];
  /** Starts a saga on the aggregate. Its command is published after the events. */
  readonly starts?: SagaName;
};

/** How a kind of aggregate is stored, audited and which commands it sends. */
export type AggregateKind<A extends Aggregate> = {
  readonly save: (tx: UnitOfWork, after: A) => void;
  readonly audited: (aggregate: A) => AuditedResource;
  /** The command of the active run. It follows from the aggregate alone, so that resending it sends the same message. */
  readonly commandOf: (aggregate: A) => Event | undefined;
};

/** Saves the aggregate, starts the saga and publishes events, command and audit entries in the unit of work. */
export function applyChange<A extends Aggregate>(
  tx: UnitOfWork,
  kind: AggregateKind<A>,
  before: A,
  { change, origin }: { readonly change: Change<A>; readonly origin: Origin },
): A {
  const updatedAt = origin.at > before.updatedAt ? origin.at : before.updatedAt;
  const activeRun = change.starts === undefined ? change.after.activeRun : startRun(tx, before, change.starts, origin);
  const changed = { ...change.after, activeRun, updatedAt, lastEventId: recentEventId(before, origin) };
  const after = publishMessages(tx, kind, changed, { ...change, origin });
  kind.save(tx, after);
  return after;
}

function startRun(
  tx: UnitOfWork,
  { id, marketplaceId }: Aggregate,
  saga: SagaName,
  { actor, at, correlationId }: Origin,
): ActiveRun {
  const runId = tx.newId('run');
  const run: NewRun = { id: runId, saga, aggregateId: id, marketplaceId, correlationId };
  tx.runs.start(run);
  return { runId, saga, actor, startedAt: at };
}

/** Ends the active run with the change: another saga may start, and waiting requests get the outcome. */
export function endRun<A extends Aggregate>(
  tx: UnitOfWork,
  kind: AggregateKind<A>,
  before: A,
  { change, origin }: { readonly change: Change<A> & { readonly outcome?: SagaOutcome }; readonly origin: Origin },
): A {
  const after = applyChange(tx, kind, before, { change: { ...change, after: { ...change.after, activeRun: null } }, origin });
  if (before.activeRun !== null) tx.runs.close(before.activeRun.runId, change.outcome ?? { status: 'succeeded' });
  return after;
}

/** An older event is in the event log by now, so naming it as predecessor would only make the log search far back. */
const predecessorMaxAgeMs = 60_000;

function recentEventId({ lastEventId, updatedAt }: Aggregate, { at }: Origin): MessageId | null {
  return toEpochMs(at) - toEpochMs(updatedAt) < predecessorMaxAgeMs ? lastEventId : null;
}

/** Publishes the events in order, then the command of a started run, then the audit entries. Each event is the next version. */
function publishMessages<A extends Aggregate>(
  tx: UnitOfWork,
  kind: AggregateKind<A>,
  aggregate: A,
  { events, auditEntries, starts, origin }: Change<A> & { readonly origin: Origin },
): A {
  const eventIds = new Map<string, MessageId>();
  let current: A = { ...aggregate, lastEventId: origin.afterEventId ?? aggregate.lastEventId };
  for (const { declaration, payload } of events) {
    const version = current.version + 1;
    const id = messageIdOf(origin, declaration.type) ?? idFromParts('evt', origin.at, [current.id, version.toString()]);
    const afterEventId = current.lastEventId ?? undefined;
    tx.publish({ ...envelopeOf(current, origin), id, aggregateVersion: version, afterEventId, declaration, payload });
    eventIds.set(declaration.type, id);
    current = { ...current, version, lastEventId: id };
  }
  if (starts !== undefined)
    publishCommand(tx, kind, current, { ...origin, causationId: [...eventIds.values()].at(-1) ?? origin.causationId });
  for (const entry of auditEntries) {
    tx.publish({
      ...envelopeOf(current, origin),
      id: messageIdOf(origin, `${auditRecorded.type} ${entry.action}`),
      afterEventId: entry.reports === undefined ? undefined : eventIds.get(entry.reports),
      declaration: auditRecorded,
      payload: auditFactOf(current, kind.audited(current), entry, origin),
    });
  }
  return current;
}

/** Publishes the command of the active run; resending it publishes the same message. Returns whether there is one. */
export function publishCommand<A extends Aggregate>(
  tx: UnitOfWork,
  kind: AggregateKind<A>,
  aggregate: A,
  origin: Origin,
): boolean {
  const { activeRun } = aggregate;
  const command = activeRun === null ? undefined : kind.commandOf(aggregate);
  if (activeRun === null || command === undefined) return false;
  const step = startOf(activeRun);
  tx.publish({
    ...envelopeOf(aggregate, { ...origin, run: activeRun }),
    id: stepMessageIds(step)(command.declaration.type),
    occurredAt: step.at,
    afterEventId: aggregate.lastEventId ?? undefined,
    ...command,
  });
  return true;
}

/** Publishes the abort command of the active run with its audit entry; a repeat publishes the same messages. */
export function publishAbort<A extends Aggregate>(
  tx: UnitOfWork,
  kind: AggregateKind<A>,
  aggregate: A & { readonly activeRun: ActiveRun },
  { abort, entry, origin }: { readonly abort: Event; readonly entry: NewAuditEntry; readonly origin: Origin },
): void {
  const { runId, saga, startedAt } = aggregate.activeRun;
  const step = { cause: runId, name: 'abort', at: startedAt };
  const envelope = envelopeOf(aggregate, { ...origin, run: { saga, runId } });
  tx.publish({ ...envelope, id: stepMessageIds(step)(abort.declaration.type), ...abort });
  tx.publish({
    ...envelope,
    id: stepMessageIds(step)(`${auditRecorded.type} ${entry.action}`),
    declaration: auditRecorded,
    payload: auditFactOf(aggregate, kind.audited(aggregate), entry, origin),
  });
}

function messageIdOf({ step }: Origin, name: string): MessageId | undefined {
  return step === undefined ? undefined : stepMessageIds(step)(name);
}

function envelopeOf({ id, version, marketplaceId }: Aggregate, { correlationId, causationId, run }: Origin) {
  const envelope: Omit<OutgoingMessage, 'declaration' | 'payload'> = {
    aggregateId: id,
    aggregateVersion: version,
    marketplaceId,
    correlationId,
    causationId,
    ...(run === undefined ? {} : { saga: run.saga, sagaRunId: run.runId }),
  };
  return envelope;
}
