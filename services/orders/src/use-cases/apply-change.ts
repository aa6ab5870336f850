import { toEpochMs } from '@holdfast/kernel/context';
import { auditRecorded, type MessageDeclaration, type Payload } from '@holdfast/contracts/messages';
import { idFromParts, type MessageId } from '@holdfast/kernel/ids';
import type { Order } from '../domain/order.js';
import { auditFactOf, type NewAuditEntry } from './audit.js';
import type { Origin } from './origin.js';
import type { OutgoingMessage, UnitOfWork } from './ports.js';

/** An event or command before it is published. Its aggregate and version follow from the order that it is published with. */
export type Event = { readonly declaration: MessageDeclaration; readonly payload: unknown };

export function event<M extends MessageDeclaration>(declaration: M, payload: Payload<M>): Event {
  return { declaration, payload };
}

/** A change of an order: its new state, the messages to publish and the audit entries. */
export type Change = {
  readonly after: Order;
  readonly events: readonly Event[];
  readonly auditEntries: readonly NewAuditEntry[];
};

/** Saves the order and publishes its events and audit entries in the unit of work. */
export function applyChange(tx: UnitOfWork, before: Order, change: Change, origin: Origin): Order {
  const updatedAt = origin.at > before.updatedAt ? origin.at : before.updatedAt;
  const lastEventId = recentEventId(before, origin);
  const after = publishEvents(tx, { ...change.after, updatedAt, lastEventId }, change.events, origin);
  for (const entry of change.auditEntries) publishAudit(tx, after, entry, origin);
  tx.orders.save(before, after);
  return after;
}

/** An older event is in the event log by now, so naming it as predecessor would only make the log search far back. */
const predecessorMaxAgeMs = 60_000;

function recentEventId({ lastEventId, updatedAt }: Order, { at }: Origin): MessageId | null {
  return toEpochMs(at) - toEpochMs(updatedAt) < predecessorMaxAgeMs ? lastEventId : null;
}

/** Publishes events in order. Each public event is the next version of its aggregate, without gaps. */
export function publishEvents(tx: Pick<UnitOfWork, 'publish'>, order: Order, events: readonly Event[], origin: Origin): Order {
  // An event caused by a reply follows the reply's predecessor event; every other event follows the last event of the order.
  let current: Order = { ...order, lastEventId: origin.afterEventId ?? order.lastEventId };
  for (const { declaration, payload } of events) {
    const outgoing = { ...envelopeOf(order, origin, declaration.type), ...afterEventOf(current), declaration, payload };
    if (declaration.visibility === 'internal') {
      tx.publish({ ...outgoing, ...aggregateOf(current, declaration) });
      continue;
    }
    current = withNextVersion(current, declaration);
    const aggregate = aggregateOf(current, declaration);
    const id = eventIdOf(aggregate, declaration, origin);
    tx.publish({ ...outgoing, ...aggregate, id });
    current = { ...current, lastEventId: id };
  }
  return current;
}

/**
 * The id is deterministic, so that a repeated decision publishes the same event. Outside a run it follows from the aggregate's
 * version.
 */
function eventIdOf({ aggregateId, aggregateVersion }: AggregateRef, { type }: MessageDeclaration, { run }: Origin): MessageId {
  return run === undefined ? idFromParts('evt', aggregateId, aggregateVersion.toString()) : idFromParts('evt', run.runId, type);
}

export function publishAudit(tx: Pick<UnitOfWork, 'publish'>, order: Order, entry: NewAuditEntry, origin: Origin): void {
  tx.publish({
    ...envelopeOf(order, origin, `${auditRecorded.type} ${entry.action}`),
    declaration: auditRecorded,
    payload: auditFactOf(order, entry, origin),
    aggregateId: order.id,
    aggregateVersion: order.version,
  });
}

function afterEventOf({ lastEventId }: Order): Pick<OutgoingMessage, 'afterEventId'> {
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

function withNextVersion(order: Order, { aggregateType }: MessageDeclaration): Order {
  const { escrow, dispute } = order;
  if (aggregateType === 'Escrow' && escrow !== null) return { ...order, escrow: { ...escrow, version: escrow.version + 1 } };
  if (aggregateType === 'Dispute' && dispute !== null) return { ...order, dispute: { ...dispute, version: dispute.version + 1 } };
  return { ...order, version: order.version + 1 };
}

/** escrow-adapter publishes escrow events too. Each service counts the versions of its own part. */
const ownPart = 'orders';

type AggregateRef = Pick<OutgoingMessage, 'aggregateId' | 'aggregateVersion' | 'aggregatePart'>;

function aggregateOf({ id, version, escrow, dispute }: Order, { aggregateType }: MessageDeclaration): AggregateRef {
  if (aggregateType === 'Escrow' && escrow !== null)
    return { aggregateId: escrow.id, aggregateVersion: escrow.version, aggregatePart: ownPart };
  if (aggregateType === 'Dispute' && dispute !== null) return { aggregateId: dispute.id, aggregateVersion: dispute.version };
  return { aggregateId: id, aggregateVersion: version };
}
