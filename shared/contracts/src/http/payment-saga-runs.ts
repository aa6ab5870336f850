import { z } from 'zod';
import { id, instant, noBody, noParams, noQuery, opaqueId } from '../shapes/index.js';
import { route } from './route.js';

/** Internal routes about the saga runs of payments, as orders has them for its own. */
const paymentsRoute = {
  isInternal: true,
  auth: 'any',
  idempotent: false,
  family: 'plain',
  service: 'payments',
  malformedParams: 'NOT_FOUND',
  query: noQuery,
  body: noBody,
  errors: [],
} as const;

const sagaRun = z.object({
  id: id('run'),
  aggregateId: opaqueId.meta({ description: 'The top-up, withdrawal or reconciliation case' }),
  marketplaceId: id('mkt'),
  saga: z.string(),
  begunAt: instant,
  ageMs: z.int(),
  /** The run has no deadline, or did not end after it: only its outcome or an operator ends it. */
  isPastPointOfNoReturn: z.boolean(),
  /** How often its command was resent. */
  attempts: z.int(),
  /** Null if the retries were stopped. */
  nextRetryAt: instant.nullable(),
  /** Why no retry helps, so that an operator must look. */
  retryStoppedReason: z.string().nullable(),
});
export type PaymentSagaRunView = z.infer<typeof sagaRun>;

export const listPaymentSagaRuns = route({
  ...paymentsRoute,
  name: 'listPaymentSagaRuns',
  method: 'get',
  path: '/internal/saga-runs',
  summary: 'List open saga runs of payments of all marketplaces, oldest first',
  params: noParams,
  success: { status: 200, data: z.object({ runs: z.array(sagaRun) }) },
});

export const redrivePaymentSagaRun = route({
  ...paymentsRoute,
  name: 'redrivePaymentSagaRun',
  method: 'post',
  path: '/internal/saga-runs/{id}/redrive',
  summary: 'Resend the command that a saga run of payments waits for',
  params: z.strictObject({ id: id('run') }),
  success: { status: 200, data: sagaRun.pick({ id: true, aggregateId: true, saga: true }) },
});
