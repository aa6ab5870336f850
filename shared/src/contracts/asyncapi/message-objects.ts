import { z } from 'zod';
import type { MessageDeclaration } from '../messages/index.js';
import { describeShape, exampleOf, type DescribedSchema } from '../openapi/index.js';
import { instant } from '../shapes/index.js';
import type { MessageObject } from './types.js';

const exampleMoment = '2026-01-31T12:00:00.123456Z';
const exampleId = '01JB2M3N4P5Q6R7S8T9V0W1X2Y';

/** An event: the envelope of all of them, with the type and the payload of this one. */
export function eventObject(declaration: MessageDeclaration, payload: DescribedSchema): MessageObject {
  const { type, summary, aggregateType } = declaration;
  const own = {
    type: 'object',
    properties: { eventType: { const: type }, aggregateType: { const: aggregateType }, payload: payload.schema },
  } as const;
  return {
    name: type,
    title: type,
    summary,
    contentType: 'application/json',
    tags: [{ name: aggregateType }],
    payload: { allOf: [{ $ref: '#/components/schemas/Event' }, own] },
    examples: [{ payload: exampleEvent(declaration, exampleOf(payload, `the payload of ${type}`)) }],
  };
}

function exampleEvent({ type, aggregateType }: MessageDeclaration, payload: unknown): unknown {
  return {
    eventId: `evt_${exampleId}`,
    eventType: type,
    occurredAt: exampleMoment,
    aggregateId: firstIdOf(payload),
    aggregateType,
    payload,
    metadata: {
      correlationId: '7f0c1a52-3f5e-4c1b-9a53-0c2f6f0f7d11',
      marketplaceId: 'mkt_default',
      producedAt: exampleMoment,
    },
  };
}

/** The id of what it happened to stands first in every payload. */
function firstIdOf(payload: unknown): unknown {
  return typeof payload === 'object' && payload !== null ? Object.values(payload)[0] : undefined;
}

/** What the stream says of itself. These are no events and have no id. */
export const noticeObjects: readonly MessageObject[] = [
  noticeObject('ping', 'The stream is open; every 30 seconds.', z.object({ ping: z.literal(true), timestamp: instant })),
  noticeObject(
    'gap',
    'The cursor is older than the history: what happened after `from`, up to and with `to`, can no longer be replayed.',
    z.object({ from: instant, to: instant }),
  ),
];

function noticeObject(name: string, summary: string, shape: z.ZodType): MessageObject {
  const described = describeShape(shape, 'answer');
  return {
    name,
    title: name,
    summary,
    contentType: 'application/json',
    payload: described.schema,
    examples: [{ payload: exampleOf(described, `a ${name}`) }],
  };
}
