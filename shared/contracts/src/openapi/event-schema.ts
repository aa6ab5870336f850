import type { MessageDeclaration } from '../messages/index.js';
import { exampleRequestId } from './error-examples.js';
import { exampleOf } from './example.js';
import { describeShape, referenceTo, type DescribedSchema, type JsonSchema } from './schema.js';

const exampleTime = '2026-01-31T12:00:00.123456Z';

/** A public event: the envelope that all events share, with the type and the payload of this one. */
export type DescribedEvent = {
  readonly declaration: MessageDeclaration;
  readonly schema: JsonSchema;
  readonly named: DescribedSchema['named'];
  readonly example: unknown;
};

export function describeEvent(declaration: MessageDeclaration): DescribedEvent {
  const { type, aggregateType } = declaration;
  const payload = describeShape(declaration.payload, 'response');
  const own: JsonSchema = {
    type: 'object',
    properties: {
      eventType: { type: 'string', const: type },
      aggregateType: { type: 'string', const: aggregateType },
      payload: payload.schema,
    },
  };
  return {
    declaration,
    schema: { type: 'object', allOf: [referenceTo('Event'), own] },
    named: payload.named,
    example: exampleEvent(declaration, exampleOf(payload, `the payload of ${type}`)),
  };
}

function exampleEvent({ type, aggregateType }: MessageDeclaration, payload: unknown): unknown {
  return {
    eventId: 'evt_01JB2M3N4P5Q6R7S8T9V0W1X2Y',
    eventType: type,
    occurredAt: exampleTime,
    aggregateId: firstIdOf(payload),
    aggregateType,
    payload,
    metadata: {
      correlationId: exampleRequestId,
      causationId: null,
      marketplaceId: 'mkt_default',
      producedAt: exampleTime,
      aggregateVersion: 1,
    },
  };
}

/** Every payload starts with the id of its aggregate. */
function firstIdOf(payload: unknown): unknown {
  return typeof payload === 'object' && payload !== null ? Object.values(payload)[0] : undefined;
}
