import type { Instant } from '@holdfast/kernel/context';
import type { EventRecord } from '@holdfast/contracts/http';
import type { Envelope } from '@holdfast/contracts/messages';

/** What the stream shows of a message, in one line of JSON: a line end inside a text is escaped there. */
export function shownEnvelope(message: Envelope, occurredAt: Instant): string {
  const { id, type, aggregateId, aggregateType, correlationId, causationId, marketplaceId } = message;
  const payload = fieldsOf(message.payload);
  const { userId } = payload;
  const shown: EventRecord = {
    eventId: id,
    eventType: type,
    occurredAt,
    aggregateId,
    aggregateType,
    payload,
    metadata: {
      correlationId,
      ...(causationId === undefined ? {} : { causationId }),
      ...(typeof userId === 'string' ? { userId } : {}),
      marketplaceId,
      producedAt: message.occurredAt,
    },
  };
  return JSON.stringify(shown);
}

/** Payloads were parsed by their contracts, all of which are objects. */
function fieldsOf(payload: unknown): Readonly<Record<string, unknown>> {
  return typeof payload === 'object' && payload !== null ? (payload as Readonly<Record<string, unknown>>) : {};
}
