import { z } from 'zod';
import { aggregateTypes, allMessages } from '../messages/index.js';
import { freeText, id, instant, instantIn, noBody, noParams, noQuery, pageQuery, textMax } from '../shapes/index.js';
import { route } from './route.js';

const publicMessages = allMessages.filter(({ visibility }) => visibility === 'public');
/** The types of all public events. */
export const eventTypes: readonly string[] = publicMessages.map(({ type }) => type);
const resources = aggregateTypes.filter((name) => publicMessages.some(({ aggregateType }) => aggregateType === name));

const eventType = z.enum(eventTypes).meta({ description: 'Event type, from the event catalogue', example: 'order.created' });

/** `order.*` stands for all types that begin with `order.`, also those that come later. */
const families = [...new Set(eventTypes.map((type) => `${type.slice(0, type.indexOf('.'))}.*`))];
const typesMax = 100;

export const eventTypesIn = z
  .array(z.enum([...eventTypes, ...families], 'must be an event type, or such as order.*'))
  .max(typesMax)
  .meta({
    description: 'Event types, or such as `order.*`. Empty: all, also those that come later',
    example: ['order.*', 'balance.credited'],
  });

const resource = z.enum(resources).meta({ description: 'Resource type', example: 'Order' });

export const event = z
  .object({
    eventId: id('evt'),
    eventType: z.string().meta({ description: 'For example `order.closed`' }),
    occurredAt: instant.meta({
      description: 'When it happened; also the id of the server-sent event and the cursor to resume from',
    }),
    aggregateId: z.string().meta({ description: 'Id of the resource' }),
    aggregateType: z.string().meta({ description: 'Type of the resource' }),
    payload: z.record(z.string(), z.unknown()).meta({ description: 'Depends on `eventType`' }),
    metadata: z
      .looseObject({
        correlationId: z.string().optional(),
        causationId: z.string().nullable().meta({ description: 'The event that led to this one; null if a request did' }),
        userId: z.string().optional(),
        marketplaceId: z.string().optional(),
        producedAt: z.string().optional(),
        aggregateVersion: z.int().min(0).meta({
          description:
            'Counts the events of the resource: 1, 2, 3 … in the order of the stream, the same in webhooks and in every replay. 0 in test events',
        }),
      })
      .meta({ description: 'Additional keys may be added' }),
  })
  .meta({
    id: 'Event',
    example: {
      eventId: 'evt_01JB2M3N4P5Q6R7S8T9V0W1X2Y',
      eventType: 'order.closed',
      occurredAt: '2026-01-31T12:00:00.123456Z',
      aggregateId: 'ord_01JB2M3N4P5Q6R7S8T9V0W1X2Y',
      aggregateType: 'Order',
      payload: { orderId: 'ord_01JB2M3N4P5Q6R7S8T9V0W1X2Y', finalStatus: 'RELEASED', closedAt: '2026-01-31T12:00:00.123456Z' },
      metadata: {
        correlationId: '7f0c1a52-3f5e-4c1b-9a53-0c2f6f0f7d11',
        causationId: 'evt_01JB2M3N4P5Q6R7S8T9V0W1X2W',
        marketplaceId: 'mkt_default',
        aggregateVersion: 7,
      },
    },
  });
export type EventRecord = z.infer<typeof event>;

export const streamEvents = route({
  service: 'notifications',
  family: 'plain',
  name: 'events.stream',
  method: 'get',
  path: '/events',
  summary: 'Stream events',
  description:
    'Server-sent events of your marketplace. To resume after a disconnect, send the id of the last received message as `Last-Event-ID`: missed events are replayed first. Delivery is at least once; deduplicate by `eventId`. A `ping` message is sent every 30 seconds; a `gap` message means that the cursor is older than the retained history. Browsers cannot set the Authorization header on an EventSource: connect from your server.',
  auth: 'any',
  idempotent: false,
  params: noParams,
  malformedParams: 'NOT_FOUND',
  body: noBody,
  headers: z.object({
    'Last-Event-ID': z.string().optional().meta({
      description: 'Id of the last received event; takes precedence over `since`',
      example: '2026-01-31T12:00:00.123456Z',
    }),
  }),
  query: z.strictObject({
    types: z.array(eventType).optional().meta({ description: 'Filter by event type; repeatable' }),
    resources: z.array(resource).optional().meta({ description: 'Filter by resource type; repeatable' }),
    since: instantIn.optional().meta({ description: 'Replay events after this time first', example: '2026-01-31T12:00:00Z' }),
  }),
  success: { status: 200, form: 'event-stream', data: event },
  errors: [],
});

const ofLog = {
  service: 'notifications',
  family: 'plain',
  method: 'get',
  auth: 'read',
  idempotent: false,
  body: noBody,
} as const;

/** The route whose responses have the ids of events. */
const eventSource = 'GET /event-log';

export const listEvents = route({
  ...ofLog,
  name: 'events.list',
  path: '/event-log',
  summary: 'List events',
  description:
    'The events of your marketplace that are in the history, each as the stream shows it, in the order of the stream: oldest first. An event that is no longer in the history is refused as `after`.',
  params: noParams,
  malformedParams: 'NOT_FOUND',
  query: z.strictObject({
    limit: pageQuery.limit,
    after: id('evt', eventSource).optional().meta({ description: 'Only events after this one' }),
    cursor: id('evt', eventSource)
      .optional()
      .meta({ description: '`nextCursor` of the previous page; takes precedence over `after`' }),
    types: eventTypesIn.optional().meta({ description: 'Event types, or such as `order.*`; repeatable' }),
    aggregateId: freeText(textMax.reference).min(1).optional().meta({ description: 'Id of the resource of the event' }),
  }),
  success: { status: 200, data: event, list: true },
  errors: [],
});

export const getEvent = route({
  ...ofLog,
  name: 'events.get',
  path: '/event-log/{eventId}',
  summary: 'Get an event',
  description: 'As the stream shows it, while it is in the history.',
  params: z.strictObject({ eventId: id('evt', eventSource) }),
  malformedParams: 'EVENT_NOT_FOUND',
  query: noQuery,
  success: { status: 200, data: event },
  errors: ['EVENT_NOT_FOUND'],
});

export const eventRoutes = { streamEvents, listEvents, getEvent };

/** A stream whose client is gone ends with a ping at the latest, and those are 30 s apart. */
const streamEndSeconds = 30;

/** The details of a 429 for too many open event streams. */
export function openStreamsDetails(limit: number) {
  return { limit, counted: 'open event streams', windowSeconds: streamEndSeconds, retryAfter: streamEndSeconds };
}
