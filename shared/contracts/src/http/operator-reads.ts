import { z } from 'zod';
import type { ServiceName } from '../services/index.js';
import { noBody, noParams, noQuery } from '../shapes/index.js';
import { ledgerCheck, providerControls } from './operations-shapes.js';
import { reconciliationReport } from './reconciliation.js';
import { route } from './route.js';

/** Internal routes with which the gateway answers operators: what one service knows. */
const operatorRead = {
  isInternal: true,
  auth: 'any',
  idempotent: false,
  family: 'plain',
  method: 'get',
  params: noParams,
  malformedParams: 'NOT_FOUND',
  query: noQuery,
  body: noBody,
  errors: [],
} as const;

function providerControlsRoute<Service extends ServiceName>(service: Service, name: string) {
  return route({
    ...operatorRead,
    service,
    name,
    path: '/internal/provider-controls',
    summary: 'Get the emergency stop, circuit breakers, call budgets and spending caps as the service knows them',
    success: { status: 200, data: providerControls },
  });
}

export const getControlsOfOrders = providerControlsRoute('orders', 'getControlsOfOrders');
export const getControlsOfAdapter = providerControlsRoute('escrow-adapter', 'getControlsOfAdapter');
export const getControlsOfPayments = providerControlsRoute('payments', 'getControlsOfPayments');

export const getLedgerCheck = route({
  ...operatorRead,
  service: 'ledger-balance',
  name: 'getLedgerCheck',
  path: '/internal/ledger-check',
  summary: 'Get what the last check of the ledger has found; null before the first one',
  success: { status: 200, data: z.object({ check: ledgerCheck.nullable() }) },
});

export const getLatestReports = route({
  ...operatorRead,
  service: 'payments',
  name: 'getLatestReports',
  path: '/internal/reconciliation/latest-reports',
  summary: 'Get the newest reconciliation report of each currency',
  success: { status: 200, data: z.object({ reports: z.array(reconciliationReport) }) },
});

export const operatorReads = {
  getControlsOfOrders,
  getControlsOfAdapter,
  getControlsOfPayments,
  getLedgerCheck,
  getLatestReports,
};
