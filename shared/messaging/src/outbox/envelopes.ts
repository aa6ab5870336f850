import { z } from 'zod';
import type { Clock } from '@holdfast/kernel/context';
import { envelopeOf, type Envelope, type MessageDeclaration } from '@holdfast/contracts/messages';
import { idFromParts, type MarketplaceId, type MessageId, type NewId, type SagaRunId } from '@holdfast/kernel/ids';

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
  /** The name of the saga that the run belongs to. */
  readonly saga?: string;
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
