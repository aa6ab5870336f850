import { z } from 'zod';
import { orderStatuses } from '../messages/index.js';
import { id, instant, noBody, noParams, noQuery } from '../shapes/index.js';
import { route } from './route.js';

/** Internal routes of the `npm run sagas` command: open and stalled saga runs. */
const ordersRoute = {
  isInternal: true,
  auth: 'any',
  idempotent: false,
  family: 'plain',
  service: 'orders',
  malformedParams: 'NOT_FOUND',
  query: noQuery,
  body: noBody,
  errors: [],
} as const;

/** Maximum number of listed runs. */
export const sagaRunsShownMax = 1_000;

const sagaRun = z.object({
  id: id('run'),
  orderId: id('ord'),
  marketplaceId: id('mkt'),
  saga: z.string(),
  begunAt: instant,
  ageMs: z.int(),
  orderStatus: z.enum(orderStatuses).nullable(),
  /** No step will be compensated any more. */
  isPastPointOfNoReturn: z.boolean(),
  /** How often its command was resent. */
  attempts: z.int(),
  /** Null if the retries were stopped. */
  nextRetryAt: instant.nullable(),
  /** Why no retry helps, so that an operator must look. */
  retryStoppedReason: z.string().nullable(),
});
export type SagaRunView = z.infer<typeof sagaRun>;

export const listSagaRuns = route({
  ...ordersRoute,
  name: 'listSagaRuns',
  method: 'get',
  path: '/internal/saga-runs',
  summary: 'List open saga runs of all marketplaces, oldest first',
  params: noParams,
  success: { status: 200, data: z.object({ runs: z.array(sagaRun) }) },
});

export const redriveSagaRun = route({
  ...ordersRoute,
  name: 'redriveSagaRun',
  method: 'post',
  path: '/internal/saga-runs/{id}/redrive',
  summary: 'Resend the command that a saga run waits for',
  params: z.strictObject({ id: id('run') }),
  success: { status: 200, data: sagaRun.pick({ id: true, orderId: true, saga: true }) },
});
