import { z } from 'zod';
import { aggregateTypes, allMessages } from '../messages/index.js';
import { id, instant, moment, noBody, noParams } from '../shapes/index.js';
import { route } from './route.js';

const publicMessages = allMessages.filter(({ visibility }) => visibility === 'public');
const eventTypes = publicMessages.map(({ type }) => type);
const resources = aggregateTypes.filter((name) => publicMessages.some(({ aggregateType }) => aggregateType === name));

const eventType = z.enum(eventTypes).meta({ description: 'From the catalogue of events', example: 'order.created' });
const resource = z.enum(resources).meta({ example: 'Order' });

export const event = z
  .object({
    eventId: id('evt'),
    eventType: z.string(),
    occurredAt: instant.meta({ description: 'Also the id of the message, and a cursor' }),
    aggregateId: z.string().meta({ description: 'Id of the thing that it happened to' }),
    aggregateType: z.string(),
    payload: z.record(z.string(), z.unknown()).meta({ description: 'As the catalogue tells of each event' }),
    metadata: z
      .looseObject({
        correlationId: z.string().optional(),
        causationId: z.string().optional(),
        userId: z.string().optional(),
        marketplaceId: z.string().optional(),
        producedAt: z.string().optional(),
      })
      .meta({ description: 'More keys may come' }),
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
      metadata: { correlationId: '7f0c1a52-3f5e-4c1b-9a53-0c2f6f0f7d11', marketplaceId: 'mkt_default' },
    },
  });
export type EventRecord = z.infer<typeof event>;

export const streamEvents = route({
  service: 'notifications',
  family: 'plain',
  name: 'streamEvents',
  method: 'get',
  path: '/events',
  summary: 'Follow what happens, as it happens',
  description:
    'Server-sent events of your marketplace. After a break, send the id of the last one as `Last-Event-ID`: what came since follows first, and an event may come twice, so tell them apart by `eventId`. A message `ping` comes every 30 seconds; a message `gap` says that the cursor is older than the history. Browsers cannot set the Authorization header on an EventSource: put a server of your own in between.',
  auth: 'any',
  idempotent: false,
  params: noParams,
  malformedParams: 'NOT_FOUND',
  body: noBody,
  headers: z.object({
    'Last-Event-ID': z.string().optional().meta({
      description: 'The id of the last event that you have; goes before `since`',
      example: '2026-01-31T12:00:00.123456Z',
    }),
  }),
  query: z.strictObject({
    types: z.array(eventType).optional().meta({ description: 'Only these; may be repeated' }),
    resources: z.array(resource).optional().meta({ description: 'Only events of these; may be repeated' }),
    since: moment.optional().meta({ description: 'What came after this moment follows first', example: '2026-01-31T12:00:00Z' }),
  }),
  success: { status: 200, form: 'event-stream', data: event },
  errors: [],
});

export const eventRoutes = [streamEvents] as const;
