import { toEpochMs } from '@holdfast/shared/context';
import { auditRecorded, type MessageDeclaration, type Payload } from '@holdfast/shared/contracts/messages';
import { idFromParts, type MessageId } from '@holdfast/shared/ids';
import type { Order } from '../domain/order.js';
import { auditFactOf, type AuditNote } from './audit.js';
import type { Origin } from './origin.js';
import type { Told, Work } from './ports.js';

/** Something to be told. Of what, and as which version, follows from the order it is told with. */
export type Event = { readonly declaration: MessageDeclaration; readonly payload: unknown };

export function event<M extends MessageDeclaration>(declaration: M, payload: Payload<M>): Event {
  return { declaration, payload };
}

/** What somebody or something does to an order: how it is afterwards, what is told of it, and what the audit trail gets. */
export type Change = { readonly after: Order; readonly events: readonly Event[]; readonly audits: readonly AuditNote[] };

/** Saves the order and tells of it, in one commit with everything else in the transaction. */
export function commit(tx: Work, before: Order, change: Change, origin: Origin): Order {
  const updatedAt = origin.at > before.updatedAt ? origin.at : before.updatedAt;
  const lastEventId = stillFollowed(before, origin);
  const after = tell(tx, { ...change.after, updatedAt, lastEventId }, change.events, origin);
  for (const note of change.audits) tellAudit(tx, after, note, origin);
  tx.orders.save(before, after);
  return after;
}

/** Later than this the event log has it, and need not look for it far back. */
const followedForMs = 60_000;

function stillFollowed({ lastEventId, updatedAt }: Order, { at }: Origin): MessageId | null {
  return toEpochMs(at) - toEpochMs(updatedAt) < followedForMs ? lastEventId : null;
}

/** Tells events in their order and counts them: each public one is a version of its aggregate, without gaps. */
export function tell(tx: Pick<Work, 'tell'>, order: Order, events: readonly Event[], origin: Origin): Order {
  // What comes of an answer is shown after what led to it, everything else after what was told of the order last.
  let counted: Order = { ...order, lastEventId: origin.afterEventId ?? order.lastEventId };
  for (const { declaration, payload } of events) {
    const told = { ...envelopeOf(order, origin, declaration.type), ...placeOf(counted), declaration, payload };
    if (declaration.visibility === 'internal') {
      tx.tell({ ...told, ...subjectOf(counted, declaration) });
      continue;
    }
    counted = countedOn(counted, declaration);
    const subject = subjectOf(counted, declaration);
    const id = eventIdOf(subject, declaration, origin);
    tx.tell({ ...told, ...subject, id });
    counted = { ...counted, lastEventId: id };
  }
  return counted;
}

/** Outside of a run an event is known by what it is a version of. */
function eventIdOf({ aggregateId, aggregateVersion }: Subject, { type }: MessageDeclaration, { run }: Origin): MessageId {
  return run === undefined ? idFromParts('evt', aggregateId, aggregateVersion.toString()) : idFromParts('evt', run.runId, type);
}

export function tellAudit(tx: Pick<Work, 'tell'>, order: Order, note: AuditNote, origin: Origin): void {
  tx.tell({
    ...envelopeOf(order, origin, `${auditRecorded.type} ${note.action}`),
    declaration: auditRecorded,
    payload: auditFactOf(order, note, origin),
    aggregateId: order.id,
    aggregateVersion: order.version,
  });
}

function placeOf({ lastEventId }: Order): Pick<Told, 'afterEventId'> {
  return lastEventId === null ? {} : { afterEventId: lastEventId };
}

function envelopeOf({ marketplaceId }: Order, { correlationId, causationId, run }: Origin, step: string) {
  return {
    marketplaceId,
    correlationId,
    ...(causationId === undefined ? {} : { causationId }),
    ...(run === undefined ? {} : { saga: run.saga, sagaRunId: run.runId, step }),
  };
}

function countedOn(order: Order, { aggregateType }: MessageDeclaration): Order {
  const { escrow, dispute } = order;
  if (aggregateType === 'Escrow' && escrow !== null) return { ...order, escrow: { ...escrow, version: escrow.version + 1 } };
  if (aggregateType === 'Dispute' && dispute !== null) return { ...order, dispute: { ...dispute, version: dispute.version + 1 } };
  return { ...order, version: order.version + 1 };
}

/** The adapter tells of escrows too; each counts its own part of what is told. */
const ownPart = 'orders';

type Subject = Pick<Told, 'aggregateId' | 'aggregateVersion' | 'aggregatePart'>;

function subjectOf({ id, version, escrow, dispute }: Order, { aggregateType }: MessageDeclaration): Subject {
  if (aggregateType === 'Escrow' && escrow !== null)
    return { aggregateId: escrow.id, aggregateVersion: escrow.version, aggregatePart: ownPart };
  if (aggregateType === 'Dispute' && dispute !== null) return { aggregateId: dispute.id, aggregateVersion: dispute.version };
  return { aggregateId: id, aggregateVersion: version };
}
