import { z } from 'zod';
import { orderStatuses, type OrderStatus } from '../messages/index.js';
import { amountOut, currency, instant, instantIn, noBody, noParams } from '../shapes/index.js';
import { route } from './route.js';

/** The longest period of the volume. */
export const summaryDaysMax = 366;

const day = z.string().meta({ description: 'In UTC', example: '2026-01-31' });
const count = z.int().min(0);
const money = z.array(z.object({ currency, amount: amountOut })).meta({
  description: 'One per currency that was ever used',
  example: [{ currency: 'USD', amount: '1250.00' }],
});

const counts = Object.fromEntries(orderStatuses.map((status) => [status, count])) as Record<OrderStatus, typeof count>;

export const summary = z
  .object({
    orders: z.object(counts).meta({ description: 'Orders by status' }),
    volume: z.array(z.object({ date: day, currency, orders: count, amount: amountOut })).meta({
      description:
        'Orders that were created in the period and their amounts, by day and currency; days without orders are left out',
    }),
    escrow: money.meta({ description: 'In escrow, by currency' }),
    available: money.meta({ description: 'Available balances of all users, by currency' }),
    reserved: money.meta({ description: 'Reserved balances of all users, by currency' }),
    disputes: z.object({
      open: count.meta({ description: 'Not resolved' }),
      overdue: count.meta({ description: 'Not resolved, and past their deadline for a decision' }),
    }),
    failingEndpoints: count.meta({ description: 'Webhook endpoints whose attempts have all failed for a day or longer' }),
    from: instant.meta({ description: 'Begin of the period: midnight in UTC' }),
    to: instant.meta({ description: 'End of the period, exclusive: midnight in UTC' }),
    countedSince: instant.nullable().meta({
      description:
        'Null: everything is counted. Else only events from then on are, because older ones had left the history when the platform began to count; orders by status are always complete',
    }),
    asOf: instant.meta({ description: 'Everything that happened before is counted' }),
  })
  .meta({
    id: 'Summary',
    example: {
      orders: { ...Object.fromEntries(orderStatuses.map((status) => [status, 0])), IN_PROGRESS: 12, CLOSED: 340 } as Record<
        OrderStatus,
        number
      >,
      volume: [{ date: '2026-01-31', currency: 'USD', orders: 12, amount: '1250.00' }],
      escrow: [{ currency: 'USD', amount: '1250.00' }],
      available: [{ currency: 'USD', amount: '8400.50' }],
      reserved: [{ currency: 'USD', amount: '310.00' }],
      disputes: { open: 2, overdue: 1 },
      failingEndpoints: 0,
      from: '2026-01-01T00:00:00.000000Z',
      to: '2026-02-01T00:00:00.000000Z',
      countedSince: null,
      asOf: '2026-01-31T12:00:00.123456Z',
    },
  });
export type SummaryView = z.infer<typeof summary>;

export const getSummary = route({
  service: 'notifications',
  family: 'plain',
  name: 'summary.get',
  method: 'get',
  path: '/summary',
  summary: 'Get the numbers of the marketplace',
  description:
    'Everything but the volume is as of now. The numbers are counted from the events, and at most 2 seconds behind them; `asOf` says how far.',
  auth: 'read',
  idempotent: false,
  params: noParams,
  malformedParams: 'NOT_FOUND',
  query: z.strictObject({
    from: instantIn.optional().meta({
      description: 'First day of the volume, in UTC. Default: 29 days before the last one',
      example: '2026-01-01',
    }),
    to: instantIn.optional().meta({
      description: `End of the volume; the day of this time is its last one, unless it is midnight. At most ${summaryDaysMax} days after \`from\`. Default: now`,
    }),
  }),
  body: noBody,
  success: { status: 200, data: summary },
  errors: [],
});

export const summaryRoutes = { getSummary };
