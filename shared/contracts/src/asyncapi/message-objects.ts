import { z } from 'zod';
import { describeShape, exampleOf, type DescribedEvent } from '../openapi/index.js';
import { instant } from '../shapes/index.js';
import type { MessageObject } from './types.js';

/** An event of the stream. */
export function eventObject({ declaration, schema, example }: DescribedEvent): MessageObject {
  const { type, summary, aggregateType } = declaration;
  return {
    name: type,
    title: type,
    summary,
    contentType: 'application/json',
    tags: [{ name: aggregateType }],
    payload: schema,
    examples: [{ payload: example }],
  };
}

/** Control messages of the stream. They are not events and have no id. */
export const noticeObjects: readonly MessageObject[] = [
  noticeObject('ping', 'Keep-alive message, sent every 30 seconds.', z.object({ ping: z.literal(true), timestamp: instant })),
  noticeObject(
    'gap',
    'The cursor is older than the retained history: events after `from`, up to and including `to`, cannot be replayed.',
    z.object({ from: instant, to: instant }),
  ),
];

function noticeObject(name: string, summary: string, shape: z.ZodType): MessageObject {
  const described = describeShape(shape, 'response');
  return {
    name,
    title: name,
    summary,
    contentType: 'application/json',
    payload: described.schema,
    examples: [{ payload: exampleOf(described, `a ${name}`) }],
  };
}
