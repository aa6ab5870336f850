import { z } from 'zod';
import { freeText, id, noBody, noParams, noQuery, opaqueId, pageQuery, textMax } from '../shapes/index.js';
import { emergencyStop } from './emergency-stop.js';
import {
  ledgerProof,
  operatorBody,
  parkedMessagePage,
  providersRecord,
  redrivenMessages,
  sagaRunPage,
  sagaRunRecord,
  serviceName,
  treasuryRecord,
} from './operations-shapes.js';
import { parkedMessagesShownMax } from './parked-messages.js';
import { route } from './route.js';
import { openRunStates } from './run-states.js';

/** What operators see and do about the whole platform, with the master key. See ADR 0111. */
const ofOperations = {
  service: 'gateway',
  auth: 'master',
  family: 'plain',
  params: noParams,
  malformedParams: 'NOT_FOUND',
  query: noQuery,
  body: noBody,
  errors: [],
} as const;

const reading = { ...ofOperations, method: 'get', idempotent: false } as const;

/** Only where OPERATOR_ROUTES is on; elsewhere they do not exist. */
const changing = { ...ofOperations, method: 'post', idempotent: true, onlyWith: 'operator-routes' } as const;

const onRun = { params: z.strictObject({ id: id('run') }), malformedParams: 'NOT_FOUND' } as const;

export const listSagas = route({
  ...reading,
  name: 'operations.listSagas',
  path: '/operations/sagas',
  summary: 'List open saga runs',
  description: 'Of all marketplaces, oldest first. A service that does not respond is named in `unavailable`.',
  query: z.strictObject({
    limit: pageQuery.limit,
    cursor: pageQuery.cursor,
    state: z.enum(openRunStates).optional().meta({ description: 'Only runs in this state' }),
    saga: freeText(textMax.reference).optional().meta({ description: 'Only runs of this saga', example: 'fund' }),
    aggregateId: opaqueId('ord').optional().meta({ description: 'Only runs of this order, top-up, withdrawal or case' }),
  }),
  success: { status: 200, data: sagaRunPage },
});

export const getSaga = route({
  ...reading,
  ...onRun,
  name: 'operations.getSaga',
  path: '/operations/sagas/{id}',
  summary: 'Get a saga run',
  description: 'An open run, or one that has ended within 30 days.',
  success: { status: 200, data: sagaRunRecord },
});

export const redriveSaga = route({
  ...changing,
  ...onRun,
  name: 'operations.redriveSaga',
  path: '/operations/sagas/{id}/redrive',
  summary: 'Resend the command that a saga run waits for',
  description:
    'Starts its retries again, also where they were stopped. A service that has handled the command already repeats its reply. Only where OPERATOR_ROUTES is on, else 404.',
  body: z.strictObject(operatorBody),
  success: { status: 200, data: sagaRunRecord },
  errors: ['INVALID_STATE'],
});

export const listParked = route({
  ...reading,
  name: 'operations.listParkedMessages',
  path: '/operations/parked-messages',
  summary: 'List parked messages',
  description: 'Messages whose handler has failed for good, without their content. They wait for an operator.',
  query: z.strictObject({ service: serviceName.optional().meta({ description: 'Only messages of this service' }) }),
  success: { status: 200, data: parkedMessagePage },
});

export const redriveParked = route({
  ...changing,
  name: 'operations.redriveParkedMessages',
  path: '/operations/parked-messages/redrive',
  summary: 'Send parked messages back to their service',
  description:
    'Each stays parked until the service has handled it. Without `messageIds` the oldest 200 are sent back. Only where OPERATOR_ROUTES is on, else 404.',
  body: z.strictObject({
    service: serviceName,
    messageIds: z
      .array(freeText(textMax.reference).min(1))
      .min(1)
      .max(parkedMessagesShownMax)
      .optional()
      .meta({ description: 'Only these messages', example: ['evt_01JB2M3N4P5Q6R7S8T9V0W1X2Y'] }),
    ...operatorBody,
  }),
  success: { status: 200, data: redrivenMessages },
});

export const getProviders = route({
  ...reading,
  name: 'operations.getProviders',
  path: '/operations/providers',
  summary: 'Get the controls of the providers',
  description: 'Health, circuit breakers, call budgets, spending caps and the emergency stop, as each service knows them.',
  success: { status: 200, data: providersRecord },
});

export const getTreasury = route({
  ...reading,
  service: 'escrow-adapter',
  name: 'operations.getTreasury',
  path: '/operations/treasury',
  summary: 'Get the treasury',
  description: 'Its accounts on the ledger network with their balances, which are read every 30 seconds, and its spending caps.',
  success: { status: 200, data: treasuryRecord },
});

export const getLedgerProof = route({
  ...reading,
  name: 'operations.getLedgerProof',
  path: '/operations/ledger-proof',
  summary: 'Get the last proof of the books',
  description:
    'The last check of every rule of the ledger, and the newest reconciliation report of each currency. Nothing is checked by the request.',
  success: { status: 200, data: ledgerProof },
});

export const stopPlatform = route({
  ...changing,
  service: 'identity',
  name: 'operations.setEmergencyStop',
  path: '/operations/emergency-stop',
  summary: 'Stop signing and payouts, or resume them',
  description: 'The same as `npm run emergency`. Only where OPERATOR_ROUTES is on, else 404.',
  body: z.strictObject({ isStopped: z.boolean().meta({ description: 'False resumes', example: false }), ...operatorBody }),
  success: { status: 200, data: emergencyStop },
});

/** In the order in which their examples succeed one after the other. */
export const operationRoutes = {
  listSagas,
  getSaga,
  redriveSaga,
  listParked,
  redriveParked,
  getProviders,
  getTreasury,
  getLedgerProof,
  stopPlatform,
};
