import { toEpochMs } from '@holdfast/kernel/context';
import { auditRecorded, stepMessageIds, type MessageDeclaration, type Payload } from '@holdfast/contracts/messages';
import { idFromParts, type MessageId } from '@holdfast/kernel/ids';
import type { Order } from '../domain/order.js';
import { auditFactOf, reportedType, type NewAuditEntry } from './audit.js';
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
  const after = publishMessages(tx, { ...change.after, updatedAt, lastEventId: recentEventId(before, origin) }, change, origin);
  tx.orders.save(before, after);
  return after;
}

/** An older event is in the event log by now, so naming it as predecessor would only make the log search far back. */
const predecessorMaxAgeMs = 60_000;

function recentEventId({ lastEventId, updatedAt }: Order, { at }: Origin): MessageId | null {
  return toEpochMs(at) - toEpochMs(updatedAt) < predecessorMaxAgeMs ? lastEventId : null;
}

/**
 * Publishes the events in order, then the audit entries. Each public event is the next version of its aggregate, without gaps.
 * Returns the order with these versions.
 */
export function publishMessages(
  tx: Pick<UnitOfWork, 'publish'>,
  order: Order,
  { events, auditEntries }: Pick<Change, 'events' | 'auditEntries'>,
  origin: Origin,
): Order {
  const messageId = origin.step === undefined ? () => undefined : stepMessageIds(origin.step);
  const eventIds = new Map<string, MessageId>();
  // An event caused by a reply follows the reply's predecessor event; every other event follows the last event of the order.
  let current: Order = { ...order, lastEventId: origin.afterEventId ?? order.lastEventId };
  for (const { declaration, payload } of events) {
    const outgoing = { ...envelopeOf(order, origin), afterEventId: current.lastEventId ?? undefined, declaration, payload };
    if (declaration.visibility === 'internal') {
      const command = commandFields(origin, [...eventIds.values()].at(-1));
      tx.publish({ ...outgoing, ...aggregateOf(current, declaration), ...command, id: messageId(declaration.type) });
      continue;
    }
    current = withNextVersion(current, declaration);
    const aggregate = aggregateOf(current, declaration);
    const id = messageId(declaration.type) ?? versionId(aggregate, origin);
    tx.publish({ ...outgoing, ...aggregate, id });
    eventIds.set(declaration.type, id);
    current = { ...current, lastEventId: id };
  }
  for (const entry of auditEntries) {
    const id = messageId(`${auditRecorded.type} ${entry.action}`);
    tx.publish({ ...auditMessage(current, entry, origin), afterEventId: eventIds.get(reportedType(entry) ?? ''), id });
  }
  return current;
}

/** The id of an event that a request outside a saga publishes. A repeated decision of the request has the same version. */
function versionId({ aggregateId, aggregateVersion }: AggregateRef, { at }: Origin): MessageId {
  return idFromParts('evt', at, [aggregateId, aggregateVersion.toString()]);
}

/** A resent command is the same message as the first one, so its time is that of its step. The event before it caused it. */
function commandFields({ step, causationId }: Origin, eventId: MessageId | undefined) {
  return { occurredAt: step?.at, causationId: eventId ?? causationId };
}

function auditMessage(order: Order, entry: NewAuditEntry, origin: Origin): OutgoingMessage {
  return {
    ...envelopeOf(order, origin),
    declaration: auditRecorded,
    payload: auditFactOf(order, entry, origin),
    aggregateId: order.id,
    aggregateVersion: order.version,
  };
}

function envelopeOf({ marketplaceId }: Order, { correlationId, causationId, run }: Origin) {
  return {
    marketplaceId,
    correlationId,
    causationId,
    ...(run === undefined ? {} : { saga: run.saga, sagaRunId: run.runId }),
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
