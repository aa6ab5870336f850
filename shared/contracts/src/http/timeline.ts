import { z } from 'zod';
import { freeText, id, instant, noBody, noParams, noQuery, textMax } from '../shapes/index.js';
import { auditEntry } from './audit.js';
import { event } from './events.js';
import { route } from './route.js';
import { orderTimeline, transactionStates } from './timeline-shapes.js';

export const getOrderTimeline = route({
  service: 'orders',
  family: 'order',
  name: 'orders.getTimeline',
  method: 'get',
  path: '/orders/{id}/timeline',
  summary: 'Get what has happened to an order',
  description:
    'Its events, audit entries, saga steps, transactions on the ledger network, and what is due. Each run of a saga shows all of its steps with their states. A part that cannot be read just now is named in `unavailable`; the others are complete.',
  auth: 'read',
  idempotent: false,
  params: z.strictObject({ id: id('ord') }),
  malformedParams: 'ORDER_NOT_FOUND',
  query: noQuery,
  body: noBody,
  success: { status: 200, data: orderTimeline },
  errors: ['ORDER_NOT_FOUND'],
});

export const timelineRoutes = { getOrderTimeline };

/** What orders reads of the others for a timeline. */
const internalRoute = {
  isInternal: true,
  auth: 'any',
  idempotent: false,
  family: 'plain',
  method: 'post',
  params: noParams,
  malformedParams: 'NOT_FOUND',
  query: noQuery,
  errors: [],
} as const;

/** An order has an escrow and at most one open dispute; so has each of its milestones. Older disputes are listed, too. */
export const aggregatesMax = 500;
export const historyMax = 500;
const runsMax = 200;

const eventOfHistory = event.pick({ eventId: true, eventType: true, occurredAt: true, aggregateId: true, aggregateType: true });
export type EventOfHistory = z.infer<typeof eventOfHistory>;

const auditEntryOfHistory = auditEntry.pick({
  id: true,
  occurredAt: true,
  action: true,
  actorType: true,
  actorId: true,
  result: true,
  reason: true,
});
export type AuditEntryOfHistory = z.infer<typeof auditEntryOfHistory>;

const ofHistory = { ...internalRoute, service: 'notifications' } as const;

export const readEventsOfResources = route({
  ...ofHistory,
  name: 'readEventsOfResources',
  path: '/internal/events-of-resources',
  summary: 'The newest events about resources of a marketplace, without their payloads, oldest first',
  body: z.strictObject({ resourceIds: z.array(freeText(textMax.reference).min(1)).min(1).max(aggregatesMax) }),
  success: { status: 200, data: z.object({ events: z.array(eventOfHistory), hasMore: z.boolean() }) },
});

export const readAuditOfResource = route({
  ...ofHistory,
  name: 'readAuditOfResource',
  path: '/internal/audit-of-resource',
  summary: 'The newest audit entries about a resource of a marketplace, without its states, oldest first',
  body: z.strictObject({ resourceId: freeText(textMax.reference).min(1) }),
  success: { status: 200, data: z.object({ entries: z.array(auditEntryOfHistory), hasMore: z.boolean() }) },
});

const networkIntent = z.object({
  id: id('evt'),
  sagaRunId: id('run'),
  attempts: z.int(),
  nextRetryAt: instant.nullable(),
  startedAt: instant,
  endedAt: instant.nullable(),
  /** The types of the messages that it ended with; empty while it is open. */
  replyTypes: z.array(z.string()),
});
export type NetworkIntentView = z.infer<typeof networkIntent>;

const networkTransaction = z.object({
  hash: z.string(),
  sagaRunId: id('run'),
  operation: z.string(),
  state: z.enum(transactionStates),
  ledger: z.int().nullable(),
  createdAt: instant,
});
export type NetworkTransactionView = z.infer<typeof networkTransaction>;

export const readNetworkOfRuns = route({
  ...internalRoute,
  service: 'escrow-adapter',
  name: 'readNetworkOfRuns',
  path: '/internal/network-of-runs',
  summary: 'What saga runs of a marketplace do on the ledger network: their intents and transactions, oldest first',
  body: z.strictObject({ sagaRunIds: z.array(id('run')).min(1).max(runsMax) }),
  success: {
    status: 200,
    data: z.object({ intents: z.array(networkIntent), transactions: z.array(networkTransaction), hasMore: z.boolean() }),
  },
});

export const timelineSourceRoutes = { readEventsOfResources, readAuditOfResource, readNetworkOfRuns };
