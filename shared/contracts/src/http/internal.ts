import { z } from 'zod';
import { custodyAssets, userStatuses, userTypes } from '../messages/index.js';
import type { ServiceName } from '../services/index.js';
import {
  amountOut,
  currency,
  freeText,
  id,
  instant,
  instantIn,
  noBody,
  noParams,
  noQuery,
  scope,
  textMax,
} from '../shapes/index.js';
import { marketplace } from './marketplaces.js';
import { custodyRoutes } from './custody.js';
import { getEmergencyStop, setEmergencyStop } from './emergency-stop.js';
import { findOrderTransfers } from './order-transfers.js';
import { operatorReads } from './operator-reads.js';
import { dependencyHealth } from './platform.js';
import { getPaymentSagaRun, listPaymentSagaRuns, redrivePaymentSagaRun, resolvePayment } from './payment-saga-runs.js';
import { route } from './route.js';
import { getSagaResolution, getSagaRun, listSagaRuns, redriveSagaRun, resolveSagaRun } from './saga-runs.js';
import { getTestClockInOrders, getTestClockInPayments } from './test-clock.js';
import { timelineSourceRoutes } from './timeline.js';
import { expectTransfer, withdrawRemainingFunds } from './treasury.js';

/** Internal routes: one service calls another with a signed caller token of type `system`. */
const internalRoute = { isInternal: true, auth: 'any', idempotent: false, family: 'plain', query: noQuery, errors: [] } as const;
const identityRoute = { ...internalRoute, service: 'identity' } as const;
const ledgerRoute = { ...internalRoute, service: 'ledger-balance' } as const;

const credentialLengthMax = 4_096;

const verifiedCredential = z.object({
  type: z.enum(['api_key', 'token', 'account']),
  /** The id of the API key, or of the user that an account belongs to. */
  id: z.union([id('key'), id('usr')]),
  marketplaceId: id('mkt'),
  scopes: z.array(scope),
  /** When the credential expires. The gateway caches it until then, but for five seconds at most. */
  expiresAt: instant.nullable(),
});
export type VerifiedCredential = z.infer<typeof verifiedCredential>;

/** Only who has the right secret learns that it was revoked or has expired; all other credentials are unknown. */
const refusedCredential = z.enum(['unknown', 'revoked', 'expired']);
export type RefusedCredential = z.infer<typeof refusedCredential>;

export const verifyCredential = route({
  ...identityRoute,
  name: 'verifyCredential',
  method: 'post',
  path: '/internal/credentials/verify',
  summary: 'Verify an API key or token',
  params: noParams,
  malformedParams: 'NOT_FOUND',
  body: z.strictObject({ credential: z.string().max(credentialLengthMax) }),
  success: {
    status: 200,
    data: z.union([z.object({ verified: verifiedCredential }), z.object({ refused: refusedCredential })]),
  },
});

/** Maximum number of entries in one report. */
export const refusalsMax = 1_000;

const refusal = z.strictObject({
  address: freeText(textMax.reference).min(1),
  minute: instantIn,
  /** The total of that minute so far, so that a repeated report is harmless. */
  count: z.int().min(1),
});
export type Refusal = z.output<typeof refusal>;

export const reportRefusedCredentials = route({
  ...identityRoute,
  name: 'reportRefusedCredentials',
  method: 'post',
  path: '/internal/refused-credentials',
  summary: 'Report refused credentials',
  params: noParams,
  malformedParams: 'NOT_FOUND',
  body: z.strictObject({ gatewayId: z.uuid(), refusals: z.array(refusal).min(1).max(refusalsMax) }),
  success: { status: 200, data: z.object({ noted: z.int() }) },
});

export const findMarketplace = route({
  ...identityRoute,
  name: 'findMarketplace',
  method: 'get',
  path: '/internal/marketplaces/{id}',
  summary: 'Find a marketplace',
  params: z.strictObject({ id: id('mkt') }),
  malformedParams: 'MARKETPLACE_NOT_FOUND',
  body: noBody,
  success: { status: 200, data: marketplace.pick({ id: true, name: true, createdAt: true }) },
});

export const findUser = route({
  ...identityRoute,
  name: 'findUser',
  method: 'get',
  path: '/internal/users/{id}',
  summary: "Find a user of the caller's marketplace",
  params: z.strictObject({ id: id('usr') }),
  malformedParams: 'USER_NOT_FOUND',
  body: noBody,
  success: {
    status: 200,
    data: z.object({
      id: id('usr'),
      marketplaceId: id('mkt'),
      type: z.enum(userTypes),
      status: z.enum(userStatuses),
      email: z.string().nullable().optional(),
      version: z.int(),
    }),
  },
});
export type FoundUser = z.infer<typeof findUser.success.data>;

/** The maximum size of a page of users. */
export const balancesMax = 100;

export const getBalances = route({
  ...ledgerRoute,
  name: 'getBalances',
  method: 'post',
  path: '/internal/balances',
  summary: 'Get the balances of users; zero without a ledger account',
  params: noParams,
  malformedParams: 'NOT_FOUND',
  body: z.strictObject({ userIds: z.array(id('usr')).min(1).max(balancesMax), currency }),
  success: {
    status: 200,
    data: z.object({
      balances: z.array(z.object({ userId: id('usr'), available: amountOut, reserved: amountOut, total: amountOut, currency })),
    }),
  },
});

/** Every service that consumes user messages serves this route, so that identity can wait until all have handled a change. */
function userVersionRoute<Service extends ServiceName>(service: Service, name: string) {
  return route({
    ...internalRoute,
    service,
    name,
    method: 'get',
    path: '/internal/noted-users/{id}',
    summary: 'Get the version of a user that this service has handled; zero if none',
    params: z.strictObject({ id: id('usr') }),
    malformedParams: 'USER_NOT_FOUND',
    body: noBody,
    success: { status: 200, data: z.object({ version: z.int() }) },
  });
}

export const getUserVersionInLedger = userVersionRoute('ledger-balance', 'getUserVersionInLedger');
export const getUserVersionInOrders = userVersionRoute('orders', 'getUserVersionInOrders');
export const getUserVersionInAdapter = userVersionRoute('escrow-adapter', 'getUserVersionInAdapter');
export const getUserVersionInPayments = userVersionRoute('payments', 'getUserVersionInPayments');

const paymentsRoute = { ...internalRoute, service: 'payments', body: noBody } as const;

export const refreshUserPayments = route({
  ...paymentsRoute,
  name: 'refreshUserPayments',
  method: 'post',
  path: '/internal/users/{userId}/refresh-payments',
  summary: 'Refresh the open top-ups and withdrawals of a user from their providers',
  params: z.strictObject({ userId: id('usr') }),
  malformedParams: 'USER_NOT_FOUND',
  success: {
    status: 200,
    data: z.object({
      refreshed: z.int(),
      credited: z
        .array(z.object({ topupId: id('topup'), amount: amountOut, currency }))
        .optional()
        .meta({ description: 'Top-ups that were credited before this response' }),
    }),
  },
  waitsFor: 'provider',
});

const adapterRoute = {
  ...internalRoute,
  service: 'escrow-adapter',
  params: z.strictObject({ userId: id('usr') }),
  malformedParams: 'USER_NOT_FOUND',
  body: noBody,
} as const;

const providerState = z.object({ kind: z.enum(['sandbox', 'live']), health: dependencyHealth });
const providerStates = z.object({ escrowProvider: providerState, ledgerNetwork: providerState });
export type ProviderStates = z.infer<typeof providerStates>;

const paymentProviderStates = z.object({ paymentProvider: providerState });
export type PaymentProviderStates = z.infer<typeof paymentProviderStates>;

export const getPaymentProviderState = route({
  ...paymentsRoute,
  name: 'getPaymentProviderState',
  method: 'get',
  path: '/internal/providers',
  summary: 'Get kind and health of the payment provider',
  params: noParams,
  malformedParams: 'NOT_FOUND',
  success: { status: 200, data: paymentProviderStates },
});

export const getProviderStates = route({
  ...internalRoute,
  service: 'escrow-adapter',
  name: 'getProviderStates',
  method: 'get',
  path: '/internal/providers',
  summary: 'Get kind and health of the providers',
  params: noParams,
  malformedParams: 'NOT_FOUND',
  body: noBody,
  success: { status: 200, data: providerStates },
});

const holding = z.object({ asset: z.enum(custodyAssets), amount: amountOut });

export const getWalletHoldings = route({
  ...adapterRoute,
  name: 'getWalletHoldings',
  method: 'get',
  path: '/internal/wallets/{userId}/holdings',
  summary: "Get the current holdings of a user's wallet on the ledger network",
  success: {
    status: 200,
    data: z.object({
      userId: id('usr'),
      address: z.string(),
      holdings: z.array(holding).meta({ description: 'One per asset; zero where the account does not exist yet' }),
    }),
  },
});

export const syncDeposits = route({
  ...adapterRoute,
  name: 'syncDeposits',
  method: 'post',
  path: '/internal/wallets/{userId}/sync-deposits',
  summary: 'Check the payments to a wallet now, and publish missed deposits',
  success: {
    status: 200,
    data: z.object({
      userId: id('usr'),
      address: z.string(),
      deposits: z
        .array(holding.extend({ currency, operationId: z.string(), transactionHash: z.string() }))
        .meta({ description: 'Deposits that this call has published; a balance.deposit_received follows for each' }),
    }),
  },
});

export const internalRoutes = {
  getEmergencyStop,
  setEmergencyStop,
  verifyCredential,
  reportRefusedCredentials,
  findMarketplace,
  findUser,
  getBalances,
  findOrderTransfers,
  getUserVersionInLedger,
  getUserVersionInOrders,
  getUserVersionInAdapter,
  getUserVersionInPayments,
  refreshUserPayments,
  getPaymentProviderState,
  ...custodyRoutes,
  getProviderStates,
  getWalletHoldings,
  syncDeposits,
  getTestClockInOrders,
  getTestClockInPayments,
  expectTransfer,
  withdrawRemainingFunds,
  ...operatorReads,
  listSagaRuns,
  getSagaRun,
  redriveSagaRun,
  getSagaResolution,
  resolveSagaRun,
  listPaymentSagaRuns,
  getPaymentSagaRun,
  redrivePaymentSagaRun,
  resolvePayment,
  ...timelineSourceRoutes,
};
