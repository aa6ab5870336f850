import { z } from 'zod';
import { freeText, id, instant, noBody, noParams, noQuery, opaqueId, textMax } from '../shapes/index.js';
import { route } from './route.js';
import { runStates } from './run-states.js';
import { person, redriveBody, runOutcomes, runsQuery, transactionHash } from './saga-runs.js';

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
  state: z.enum(runStates),
  aggregateId: opaqueId('topup').meta({ description: 'The top-up, withdrawal or reconciliation case' }),
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
  /** Null while it is open. */
  endedAt: instant.nullable(),
});
export type PaymentSagaRunView = z.infer<typeof sagaRun>;

export const listPaymentSagaRuns = route({
  ...paymentsRoute,
  name: 'listPaymentSagaRuns',
  method: 'get',
  path: '/internal/saga-runs',
  summary: 'List open saga runs of payments of all marketplaces, oldest first',
  params: noParams,
  query: runsQuery,
  success: { status: 200, data: z.object({ runs: z.array(sagaRun) }) },
});

export const getPaymentSagaRun = route({
  ...paymentsRoute,
  name: 'getPaymentSagaRun',
  method: 'get',
  path: '/internal/saga-runs/{id}',
  summary: 'Get a saga run of payments, open or ended',
  params: z.strictObject({ id: id('run') }),
  success: { status: 200, data: sagaRun },
});

export const redrivePaymentSagaRun = route({
  ...paymentsRoute,
  body: redriveBody,
  name: 'redrivePaymentSagaRun',
  method: 'post',
  path: '/internal/saga-runs/{id}/redrive',
  summary: 'Resend the command that a saga run of payments waits for',
  params: z.strictObject({ id: id('run') }),
  success: { status: 200, data: sagaRun.pick({ id: true, aggregateId: true, saga: true }) },
});

const credentialLengthMax = 4_096;

/** The errors have a `reason` in their details. */
export const resolvePayment = route({
  ...paymentsRoute,
  name: 'resolvePayment',
  method: 'post',
  path: '/internal/payments/{id}/resolve',
  summary: 'End a top-up, a withdrawal or the return of a case at the request of an operator, with proof',
  params: z.strictObject({ id: z.union([id('topup'), id('wd'), id('rcc')]) }),
  body: z.strictObject({
    outcome: z.enum(runOutcomes),
    by: person,
    evidence: freeText(textMax.evidence).min(1),
    /** An API key with the scope `support`. Above the approval amount two different keys are needed. */
    credential: z.string().min(1).max(credentialLengthMax),
    /** Required for the success of a payout on the ledger network. */
    transactionHash: transactionHash.exactOptional(),
  }),
  success: {
    status: 200,
    data: z.object({
      status: z.enum(['RESOLVED', 'PENDING_APPROVAL']),
      paymentStatus: z.string(),
      /** The payment has its final status. */
      isEnded: z.boolean(),
      requestedBy: person,
      approvedBy: person.nullable(),
    }),
  },
  errors: ['INVALID_STATE'],
  waitsFor: 'provider',
});
