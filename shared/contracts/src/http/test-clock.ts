import { z } from 'zod';
import { durationFrom, id, instant, noBody, noParams, noQuery } from '../shapes/index.js';
import { route } from './route.js';

const ofTestClock = {
  service: 'identity',
  path: '/test-clock',
  family: 'plain',
  params: noParams,
  malformedParams: 'NOT_FOUND',
  query: noQuery,
} as const;

const testClock = z
  .object({
    now: instant.meta({ description: "The time of the marketplace: reviews, delivery dates and disputes' deadlines end by it" }),
    offsetSeconds: z.int().meta({ description: 'How far it is ahead of the real time', example: 1_209_600 }),
  })
  .meta({ id: 'TestClock' });

export const getTestClock = route({
  ...ofTestClock,
  name: 'testClock.get',
  method: 'get',
  auth: 'read',
  summary: 'Get the test clock',
  description: 'Only with the sandbox: NOT_FOUND with real providers and in production.',
  idempotent: false,
  body: noBody,
  success: { status: 200, data: testClock },
  errors: ['NOT_FOUND', 'SERVICE_UNAVAILABLE'],
});

export const advanceTestClock = route({
  ...ofTestClock,
  name: 'testClock.advance',
  method: 'post',
  path: '/test-clock/advance',
  auth: 'write',
  summary: 'Advance the test clock',
  description:
    'Only with the sandbox: NOT_FOUND with real providers and in production. Everything of the marketplace that ends by time until then happens one by one, in the order of its time: reviews, delivery dates, deadlines of disputes, the expiry of top-ups; retries of webhooks are made due. Responds when it has happened and its payouts have ended, else PROVIDER_TIMEOUT with `remaining`; the clock stays advanced, and the rest continues. At most 366 days in all.',
  idempotent: true,
  body: z.strictObject({ by: durationFrom('PT1S') }),
  success: { status: 200, data: testClock },
  waitsFor: 'test-clock',
  errors: ['NOT_FOUND', 'LIMIT_EXCEEDED', 'SERVICE_UNAVAILABLE', 'PROVIDER_TIMEOUT'],
});

export const testClockRoutes = { getTestClock, advanceTestClock };

/** How many of the remaining ones a report lists. */
export const remainingShownMax = 100;

const remaining = z.object({
  /** The kind of a timer, `topup-expiry`, or the name of a saga. */
  kind: z.string(),
  /** The order, with the milestone or dispute that the timer is about; the top-up; the saga run. */
  id: z.string(),
  /** In the time of the marketplace; null for a saga. */
  dueAt: instant.nullable(),
});
export type RemainingWork = z.infer<typeof remaining>;

/** What keeps the clock of a marketplace from being where it was advanced to. Each service that fires timers serves this route. */
function clockReportRoute<Service extends 'orders' | 'payments'>(service: Service, name: string) {
  return route({
    service,
    name,
    isInternal: true,
    auth: 'any',
    idempotent: false,
    family: 'plain',
    method: 'get',
    path: '/internal/test-clocks/{marketplaceId}',
    summary: 'Get what is due by the test clock of a marketplace and has not ended',
    params: z.strictObject({ marketplaceId: id('mkt') }),
    malformedParams: 'MARKETPLACE_NOT_FOUND',
    query: noQuery,
    body: noBody,
    success: { status: 200, data: z.object({ offsetSeconds: z.int(), remaining: z.array(remaining) }) },
    errors: [],
  });
}

export const getTestClockInOrders = clockReportRoute('orders', 'getTestClockInOrders');
export const getTestClockInPayments = clockReportRoute('payments', 'getTestClockInPayments');
