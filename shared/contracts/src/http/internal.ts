import { z } from 'zod';
import { custodyAssets, userStatuses, userTypes } from '../messages/index.js';
import type { ServiceName } from '../services/index.js';
import {
  amountOut,
  currency,
  freeText,
  id,
  instant,
  moment,
  noBody,
  noParams,
  noQuery,
  scope,
  textMax,
} from '../shapes/index.js';
import { marketplace } from './marketplaces.js';
import { dependencyHealth } from './platform.js';
import { route } from './route.js';
import { listSagaRuns, redriveSagaRun } from './saga-runs.js';

/** Questions among the parts of the platform. Who asks is signed like every caller, and is of type `system`. */
const internalRoute = { isInternal: true, auth: 'any', idempotent: false, family: 'plain', query: noQuery, errors: [] } as const;
const identityRoute = { ...internalRoute, service: 'identity' } as const;
const ledgerRoute = { ...internalRoute, service: 'ledger-balance' } as const;

const credentialLengthMax = 4_096;

const verifiedCredential = z.object({
  type: z.enum(['api_key', 'token']),
  id: id('key'),
  marketplaceId: id('mkt'),
  scopes: z.array(scope),
  /** Nobody may believe the answer for longer than this, nor for longer than five seconds. */
  expiresAt: instant.nullable(),
});
export type VerifiedCredential = z.infer<typeof verifiedCredential>;

export const verifyCredential = route({
  ...identityRoute,
  name: 'verifyCredential',
  method: 'post',
  path: '/internal/credentials/verify',
  summary: 'Who is this API key or token? Null where it is nobody',
  params: noParams,
  malformedParams: 'NOT_FOUND',
  body: z.strictObject({ credential: z.string().max(credentialLengthMax) }),
  success: { status: 200, data: verifiedCredential.nullable() },
});

/** In one report. */
export const refusalsMax = 1_000;

const refusal = z.strictObject({
  address: freeText(textMax.reference).min(1),
  minute: moment,
  /** All of that minute so far, so that a report which comes twice changes nothing. */
  count: z.int().min(1),
});
export type Refusal = z.output<typeof refusal>;

export const reportRefusedCredentials = route({
  ...identityRoute,
  name: 'reportRefusedCredentials',
  method: 'post',
  path: '/internal/refused-credentials',
  summary: 'This gateway has refused so many credentials',
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
  summary: 'Is there such a marketplace?',
  params: z.strictObject({ id: id('mkt') }),
  malformedParams: 'MARKETPLACE_NOT_FOUND',
  body: noBody,
  success: { status: 200, data: marketplace },
});

export const findUser = route({
  ...identityRoute,
  name: 'findUser',
  method: 'get',
  path: '/internal/users/{id}',
  summary: "Who is this user of the caller's marketplace?",
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
      version: z.int(),
    }),
  },
});
export type FoundUser = z.infer<typeof findUser.success.data>;

/** As many as a page of users has. */
export const balancesMax = 100;

export const getBalances = route({
  ...ledgerRoute,
  name: 'getBalances',
  method: 'post',
  path: '/internal/balances',
  summary: 'How much do these users have? Nothing, where the ledger has no account of them',
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

/** Every service that listens to users answers this, so that a change can wait until it counts everywhere. */
function userVersionRoute(service: ServiceName, name: string) {
  return route({
    ...internalRoute,
    service,
    name,
    method: 'get',
    path: '/internal/noted-users/{id}',
    summary: 'Which version of a user is known here? Zero where none is',
    params: z.strictObject({ id: id('usr') }),
    malformedParams: 'USER_NOT_FOUND',
    body: noBody,
    success: { status: 200, data: z.object({ version: z.int() }) },
  });
}

export const getUserVersionInLedger = userVersionRoute('ledger-balance', 'getUserVersionInLedger');
export const getUserVersionInOrders = userVersionRoute('orders', 'getUserVersionInOrders');
export const getUserVersionInAdapter = userVersionRoute('escrow-adapter', 'getUserVersionInAdapter');

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

export const getProviderStates = route({
  ...internalRoute,
  service: 'escrow-adapter',
  name: 'getProviderStates',
  method: 'get',
  path: '/internal/providers',
  summary: 'What are the providers that you talk to, and do they answer?',
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
  summary: 'What does the wallet of this user hold on the ledger network now?',
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
  summary: "Look at this wallet's payments now, and tell of deposits that were missed",
  success: {
    status: 200,
    data: z.object({
      userId: id('usr'),
      address: z.string(),
      deposits: z
        .array(holding.extend({ operationId: z.string(), transactionHash: z.string() }))
        .meta({ description: 'Those told because of this question; a balance.deposit_received is under way for each' }),
    }),
  },
});

export const internalRoutes = [
  verifyCredential,
  reportRefusedCredentials,
  findMarketplace,
  findUser,
  getBalances,
  getUserVersionInLedger,
  getUserVersionInOrders,
  getUserVersionInAdapter,
  getProviderStates,
  getWalletHoldings,
  syncDeposits,
  listSagaRuns,
  redriveSagaRun,
] as const;
