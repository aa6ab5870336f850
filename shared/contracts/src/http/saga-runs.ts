import { z } from 'zod';
import { orderStatuses } from '../messages/index.js';
import { freeText, id, instant, instantIn, integerIn, noBody, noParams, noQuery, textMax } from '../shapes/index.js';
import { route } from './route.js';
import { openRunStates, runStates } from './run-states.js';

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

/** The internal routes of both services that drive runs have this query. The cursor is the last run of the page before. */
export const runsQuery = z.strictObject({
  state: z.enum(openRunStates).optional(),
  saga: freeText(textMax.reference).optional(),
  aggregateId: freeText(textMax.reference).optional(),
  afterBegunAt: instantIn.optional(),
  afterId: id('run').optional(),
  limitMax: integerIn(z.int().min(1).max(sagaRunsShownMax)).default(sagaRunsShownMax),
});
export type RunsQuery = z.output<typeof runsQuery>;

/** The person who resends a command, and why: for the audit log. */
export const redriveBody = z.strictObject({
  operator: z.strictObject({ by: freeText(textMax.title).min(1), reason: freeText(textMax.reason).min(1) }).exactOptional(),
});

const sagaRun = z.object({
  id: id('run'),
  state: z.enum(runStates),
  orderId: id('ord'),
  marketplaceId: id('mkt'),
  saga: z.string(),
  begunAt: instant,
  ageMs: z.int(),
  orderStatus: z.enum(orderStatuses).nullable(),
  /** In a sequence of sagas, the run of the current saga. */
  currentRunId: id('run').nullable(),
  /** No step will be compensated any more. */
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
export type SagaRunView = z.infer<typeof sagaRun>;

export const listSagaRuns = route({
  ...ordersRoute,
  name: 'listSagaRuns',
  method: 'get',
  path: '/internal/saga-runs',
  summary: 'List open saga runs of all marketplaces, oldest first',
  params: noParams,
  query: runsQuery,
  success: { status: 200, data: z.object({ runs: z.array(sagaRun) }) },
});

export const getSagaRun = route({
  ...ordersRoute,
  name: 'getSagaRun',
  method: 'get',
  path: '/internal/saga-runs/{id}',
  summary: 'Get a saga run, open or ended',
  params: z.strictObject({ id: id('run') }),
  success: { status: 200, data: sagaRun },
});

export const redriveSagaRun = route({
  ...ordersRoute,
  body: redriveBody,
  name: 'redriveSagaRun',
  method: 'post',
  path: '/internal/saga-runs/{id}/redrive',
  summary: 'Resend the command that a saga run waits for',
  params: z.strictObject({ id: id('run') }),
  success: { status: 200, data: sagaRun.pick({ id: true, orderId: true, saga: true }) },
});

export const runOutcomes = ['succeeded', 'failed'] as const;
export type RunOutcome = (typeof runOutcomes)[number];

export const person = freeText(textMax.title).min(1);
export const transactionHash = z.string().regex(/^[0-9a-f]{64}$/, 'must be the hash of a transaction: 64 hexadecimal digits');
const contractId = z.string().regex(/^C[A-Z2-7]{55}$/, 'must be the address of a contract: C and 55 characters');

const resolution = z.object({
  status: z.enum(['RESOLVED', 'PENDING_APPROVAL']),
  orderId: id('ord'),
  outcome: z.enum(runOutcomes),
  requestedBy: person,
  approvedBy: person.nullable(),
});

export const getSagaResolution = route({
  ...ordersRoute,
  service: 'escrow-adapter',
  name: 'getSagaResolution',
  method: 'get',
  path: '/internal/saga-runs/{id}/resolution',
  summary: 'How an operator has resolved a saga run, or what waits for a second person',
  params: z.strictObject({ id: id('run') }),
  success: { status: 200, data: resolution },
});

/** The errors have a `reason` in their details. */
export const resolveSagaRun = route({
  ...ordersRoute,
  service: 'escrow-adapter',
  name: 'resolveSagaRun',
  method: 'post',
  path: '/internal/saga-runs/{id}/resolve',
  summary: "End the escrow-adapter's step of a saga run at the request of an operator",
  params: z.strictObject({ id: id('run') }),
  body: z.strictObject({
    outcome: z.enum(runOutcomes),
    by: person,
    evidence: freeText(textMax.evidence).min(1),
    /** Required for a success. */
    transactionHash: transactionHash.exactOptional(),
    /** Required for the success of a deployment. */
    contractId: contractId.exactOptional(),
  }),
  success: { status: 200, data: resolution },
  errors: ['INVALID_STATE'],
});
