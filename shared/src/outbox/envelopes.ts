import { z } from 'zod';
import type { Clock } from '../context/index.js';
import type { Envelope, MessageDeclaration } from '../contracts/messages/index.js';
import { idFromParts, type MarketplaceId, type MessageId, type NewId, type SagaRunId } from '../ids/index.js';

/** A message about to be told. */
export type NewMessage<Payload> = {
  /** Where it is known already. Otherwise it follows from `sagaRunId` and `step`, or it is a fresh one. */
  readonly id?: MessageId;
  readonly aggregateId: string;
  readonly aggregateVersion: number;
  readonly aggregatePart?: string;
  readonly marketplaceId: MarketplaceId;
  readonly correlationId: string;
  readonly causationId?: MessageId;
  /** The event that has to be shown before it. */
  readonly afterEventId?: MessageId;
  readonly sagaRunId?: SagaRunId;
  /** Names the step within its saga run: telling the same step twice is telling the same message. */
  readonly step?: string;
  readonly payload: Payload;
};

export type EnvelopeDeps = { readonly clock: Clock; readonly newId: NewId };

/** Throws when the payload breaks its contract: nobody could read such a message. */
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
  return envelopeOf(declaration, message, {
    id: message.id ?? derivedId(message.sagaRunId, message.step) ?? newId('evt'),
    occurredAt: clock.now(),
  });
}

type Made = Pick<Envelope, 'id' | 'occurredAt'>;

/** Spelled out: every message is made here, and spreading the parts costs several times as much. */
function envelopeOf<P>(
  { type, version, aggregateType }: MessageDeclaration,
  message: NewMessage<P>,
  { id, occurredAt }: Made,
): Envelope<P> {
  const { aggregateId, aggregateVersion, aggregatePart, marketplaceId, correlationId, causationId, payload } = message;
  const { afterEventId, sagaRunId } = message;
  const envelope: { -readonly [Field in keyof Envelope<P>]: Envelope<P>[Field] } = {
    id,
    type,
    version,
    occurredAt,
    aggregateType,
    aggregateId,
    aggregateVersion,
    marketplaceId,
    correlationId,
    payload,
  };
  if (aggregatePart !== undefined) envelope.aggregatePart = aggregatePart;
  if (causationId !== undefined) envelope.causationId = causationId;
  if (afterEventId !== undefined) envelope.afterEventId = afterEventId;
  if (sagaRunId !== undefined) envelope.sagaRunId = sagaRunId;
  return envelope;
}

function derivedId(sagaRunId: SagaRunId | undefined, step: string | undefined): MessageId | undefined {
  if (sagaRunId === undefined || step === undefined) return undefined;
  return idFromParts('evt', sagaRunId, step);
}
