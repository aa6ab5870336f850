import type { Instant } from '@holdfast/kernel/context';
import type { EventRecord } from '@holdfast/contracts/http';
import type { Envelope } from '@holdfast/contracts/messages';

type Shown = { readonly occurredAt: Instant; readonly aggregateVersion: number };

/** The envelope that the stream shows, in one line of JSON (JSON escapes line breaks). */
export function shownEnvelope(message: Envelope, { occurredAt, aggregateVersion }: Shown): string {
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
      causationId: causationId ?? null,
      ...(typeof userId === 'string' ? { userId } : {}),
      marketplaceId,
      producedAt: message.occurredAt,
      aggregateVersion,
    },
  };
  return JSON.stringify(shown);
}

/** The contracts have parsed the payload, and every payload contract is an object. */
function fieldsOf(payload: unknown): Readonly<Record<string, unknown>> {
  return typeof payload === 'object' && payload !== null ? (payload as Readonly<Record<string, unknown>>) : {};
}
