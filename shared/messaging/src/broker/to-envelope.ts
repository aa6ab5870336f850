import { z } from 'zod';
import type { Clock, Instant } from '@holdfast/kernel/instants';
import { envelopeOf, type Envelope, type MessageDeclaration } from '@holdfast/contracts/messages';
import type { MarketplaceId, MessageId, NewId, SagaRunId } from '@holdfast/kernel/ids';
import { activeTraceparent } from '@holdfast/observability';

/** A message to publish, before it gets its envelope. */
export type NewMessage<Payload> = {
  /** A repeatable id (`stepMessageIds`), so that the inbox deduplicates a repeated step. Without it the message gets a new one. */
  readonly id?: MessageId | undefined;
  /** Whether the message may have been published before with the same id. Its consumers may have parked it. */
  readonly isRepeated?: boolean | undefined;
  /** Given for a message that may be published again: a repeat is the same message. Without it the clock decides. */
  readonly occurredAt?: Instant | undefined;
  readonly aggregateId: string;
  readonly aggregateVersion: number;
  readonly aggregatePart?: string;
  readonly marketplaceId: MarketplaceId;
  readonly correlationId: string;
  /** The public event that caused the message. */
  readonly causationId?: MessageId | undefined;
  /** The public event that the event log must show before this one. */
  readonly afterEventId?: MessageId | undefined;
  /** The name of the saga of `sagaRunId`. */
  readonly saga?: string;
  readonly sagaRunId?: SagaRunId;
  /** Given by a caller that runs outside of the span that caused the message. Without it the active span did. */
  readonly traceparent?: string | undefined;
  readonly payload: Payload;
};

export type EnvelopeDeps = { readonly clock: Clock; readonly newId: NewId };

/** Throws when the payload does not match its schema, because every consumer would park such a message. */
export function toEnvelope<P extends z.ZodType>(
  { clock, newId }: EnvelopeDeps,
  declaration: MessageDeclaration<P>,
  message: NewMessage<z.input<P>>,
): Envelope<z.input<P>> {
  const checked = declaration.payload.safeParse(message.payload);
  if (!checked.success) {
    throw new Error(`A ${declaration.type} message breaks its contract: ${z.prettifyError(checked.error)}`, {
      cause: checked.error,
    });
  }
  const { type, version, aggregateType } = declaration;
  const { aggregateId, aggregateVersion, aggregatePart, marketplaceId, correlationId, causationId, payload } = message;
  const { afterEventId, saga, sagaRunId, id = newId('evt'), occurredAt = clock.now() } = message;
  const { traceparent = activeTraceparent() } = message;
  const frame = {
    id,
    type,
    version,
    occurredAt,
    aggregateType,
    aggregateId,
    aggregateVersion,
    aggregatePart,
    marketplaceId,
    correlationId,
    causationId,
    afterEventId,
    saga,
    sagaRunId,
    traceparent,
  };
  return envelopeOf(frame, payload);
}
