import { z } from 'zod';
import type { Clock } from '@holdfast/kernel/context';
import { envelopeOf, type Envelope, type MessageDeclaration } from '@holdfast/contracts/messages';
import { idFromParts, type MarketplaceId, type MessageId, type NewId, type SagaRunId } from '@holdfast/kernel/ids';

/** A message to publish, before it gets its envelope. */
export type NewMessage<Payload> = {
  /** Without it, the id is derived from `sagaRunId` and `step` if both are given, else it is a new one. */
  readonly id?: MessageId;
  readonly aggregateId: string;
  readonly aggregateVersion: number;
  readonly aggregatePart?: string;
  readonly marketplaceId: MarketplaceId;
  readonly correlationId: string;
  readonly causationId?: MessageId;
  /** The public event that the event log must show before this one. */
  readonly afterEventId?: MessageId;
  /** The name of the saga of `sagaRunId`. */
  readonly saga?: string;
  readonly sagaRunId?: SagaRunId;
  /** The step within the saga run. A repeated step gets the same message id, so that the inbox deduplicates it. */
  readonly step?: string;
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
  const { afterEventId, saga, sagaRunId, step } = message;
  const id = message.id ?? derivedId(sagaRunId, step) ?? newId('evt');
  const frame = {
    id,
    type,
    version,
    occurredAt: clock.now(),
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
  };
  return envelopeOf(frame, payload);
}

function derivedId(sagaRunId: SagaRunId | undefined, step: string | undefined): MessageId | undefined {
  if (sagaRunId === undefined || step === undefined) return undefined;
  return idFromParts('evt', sagaRunId, step);
}
