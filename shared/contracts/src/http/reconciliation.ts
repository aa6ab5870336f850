import { z } from 'zod';
import { caseActions, caseKinds, outflowPlaces } from '../messages/index.js';
import {
  amountOut,
  currency,
  freeText,
  id,
  instant,
  noBody,
  noParams,
  noQuery,
  opaqueId,
  pageQuery,
  textMax,
} from '../shapes/index.js';
import { route } from './route.js';

const ofReconciliation = { service: 'payments', family: 'plain', auth: 'support', malformedParams: 'CASE_NOT_FOUND' } as const;

/** PENDING_APPROVAL: the resolution waits for a second credential. */
export const caseStatuses = ['OPEN', 'PENDING_APPROVAL', 'RESOLVED'] as const;
export type CaseStatus = (typeof caseStatuses)[number];

const caseResolution = z.object({
  action: z.enum(caseActions).meta({ example: 'credit' }),
  note: z.string().meta({ description: 'Explanation', example: 'The user confirmed the payment by phone.' }),
  requestedBy: z.string().meta({ description: 'Credential that decided', example: 'key_01JB2M3N4P5Q6R7S8T9V0W1X2Y' }),
  approvedBy: z
    .string()
    .nullable()
    .meta({ description: 'Second credential; null if none is needed or it is awaited', example: null }),
  resolvedAt: instant.nullable().meta({ description: 'Null until the case is RESOLVED', example: null }),
});

const caseOutflow = z.object({
  sourceId: z.string().meta({ description: 'Transaction and number of the outflow in it', example: '3389e9f0-1' }),
  place: z.enum(outflowPlaces).meta({ example: 'treasury' }),
  userId: id('usr').nullable().meta({ description: 'The owner of the wallet; null for an account of the platform itself' }),
  amount: amountOut,
  to: z.string().nullable().meta({
    description: 'The receiver; null if there is none, or more than one',
    example: 'GBBD47IF6LWK7P7MDEVSCWR7DPUWV3NY3DTQEVFL4NAT4AQH3ZLLFLA5',
  }),
});

export const reconciliationCase = z
  .object({
    id: id('rcc'),
    kind: z.enum(caseKinds).meta({ description: 'Why the case was opened', example: 'late_money' }),
    status: z.enum(caseStatuses),
    userId: id('usr')
      .nullable()
      .meta({ description: 'Owner of the money; null if unknown', example: 'usr_01JB2M3N4P5Q6R7S8T9V0W1X2Y' }),
    amount: amountOut.meta({
      description: 'Negative if more left than was booked; 0.00 for a quarantined record, whose amount is unknown',
    }),
    currency,
    source: z.string().meta({ description: 'Where the difference was found', example: 'payment_provider' }),
    sourceId: z.string().meta({ description: 'Id at the source', example: 'payin-7' }),
    reason: z
      .string()
      .meta({ description: 'One sentence for people', example: 'The money arrived after the top-up was canceled.' }),
    relatedId: z
      .string()
      .nullable()
      .meta({ description: 'Related top-up or withdrawal', example: 'topup_01JB2M3N4P5Q6R7S8T9V0W1X2Y' }),
    outflows: z
      .array(caseOutflow)
      .optional()
      .meta({ description: 'Of a case about a restored backup: what left in the meantime, and nothing here explains' }),
    foundAt: instant,
    resolution: caseResolution
      .nullable()
      .meta({ description: 'Null until a person has decided, and if the difference has vanished by itself', example: null }),
  })
  .meta({ id: 'ReconciliationCase' });
export type ReconciliationCaseRecord = z.infer<typeof reconciliationCase>;

/** What a report is made of. */
export const reportParts = ['journal', 'paymentProvider', 'ledgerNetwork'] as const;
export type ReportPart = (typeof reportParts)[number];

const inFlightItem = z.object({
  kind: z.enum(['payout', 'withdrawal', 'deposit', 'case']).meta({ example: 'withdrawal' }),
  id: z.string().nullable().meta({ description: 'Null for a sum of many', example: 'wd_01JB2M3N4P5Q6R7S8T9V0W1X2Y' }),
  amount: amountOut,
});
export type InFlightItem = z.infer<typeof inFlightItem>;

export const reconciliationReport = z
  .object({
    id: id('rcr'),
    at: instant,
    ledger: z.int().nullable().meta({
      description: 'The ledger of the network at which accounts were compared; null if none were',
      example: 52_300_001,
    }),
    currency,
    journal: amountOut.nullable().meta({
      description: 'What the journal says is outside: at the payment provider and on the ledger network',
      example: '100.00',
    }),
    paymentProvider: amountOut
      .nullable()
      .meta({ description: 'Received minus paid out, according to the payment provider', example: '100.00' }),
    ledgerNetwork: amountOut.nullable().meta({
      description: 'Holdings of wallets and contracts on the ledger network, as far as they were compared',
      example: '0.00',
    }),
    difference: amountOut
      .nullable()
      .meta({ description: '`paymentProvider` plus `ledgerNetwork` minus `journal`', example: '0.00' }),
    liabilities: amountOut.nullable().meta({
      description:
        'What the platform owes: available and reserved balances of users, escrow, and the money of open cases. USD and USDC are backed by USDC, so both reports have the same figures',
      example: '5000.00',
    }),
    assets: amountOut.nullable().meta({
      description: 'What the platform has: on the ledger network, and at the payment provider',
      example: '7000.00',
    }),
    solvency: amountOut.nullable().meta({ description: '`assets` minus `liabilities`', example: '2000.00' }),
    ownMoney: amountOut.nullable().meta({
      description:
        'What the platform itself should have, from the journal alone: capital and fees, minus the costs of providers and network, and what was written off or credited by hand',
      example: '2000.00',
    }),
    unexplained: amountOut.nullable().meta({ description: '`solvency` minus `ownMoney`; it must be zero', example: '0.00' }),
    inFlight: z.array(inFlightItem).meta({
      description: 'What moves at the moment. It is left out of liabilities and assets, or counts as explained',
      example: [],
    }),
    unavailable: z.array(z.enum(reportParts)).meta({
      description: 'What could not be read. The amounts that need it are null; the other currencies are reported.',
      example: [],
    }),
    openCases: z.int().meta({ description: 'Unresolved cases in this currency', example: 0 }),
  })
  .meta({ id: 'ReconciliationReport' });
export type ReconciliationReportRecord = z.infer<typeof reconciliationReport>;

const casesPath = '/reconciliation/cases';
const reportsPath = '/reconciliation/reports';

export const listReconciliationCases = route({
  ...ofReconciliation,
  name: 'reconciliation.listCases',
  method: 'get',
  path: casesPath,
  summary: 'List reconciliation cases',
  description:
    'Money that belongs to no operation, and differences that nothing explains. Cases without a user are listed for the master key only. Newest first.',
  idempotent: false,
  params: noParams,
  query: z.strictObject({
    ...pageQuery,
    userId: opaqueId('usr').optional(),
    status: z.enum(caseStatuses).optional(),
    kind: z.enum(caseKinds).optional(),
  }),
  body: noBody,
  success: { status: 200, data: reconciliationCase, list: true },
  errors: [],
});

export const resolveReconciliationCase = route({
  ...ofReconciliation,
  name: 'reconciliation.resolveCase',
  method: 'post',
  path: `${casesPath}/{id}/resolve`,
  summary: 'Resolve a reconciliation case',
  description:
    '`credit` credits the user, `return` sends the money back to the payer, whom the payment provider names, `write_off` keeps it with the platform. Above a configured amount the first call returns 202 with PENDING_APPROVAL, and a second credential confirms with the same call. A case without a user is decided by the master key; any other key may only confirm it.',
  idempotent: true,
  params: z.strictObject({ id: id('rcc') }),
  query: noQuery,
  body: z.strictObject({
    action: z.enum(caseActions),
    note: freeText(textMax.note).min(1).meta({ description: 'Explanation', example: 'The user confirmed the payment by phone.' }),
  }),
  success: { status: 200, acceptedStatus: 202, data: reconciliationCase },
  waitsFor: 'saga',
  errors: [
    'CASE_NOT_FOUND',
    'INVALID_STATE',
    'INSUFFICIENT_FUNDS',
    'LIMIT_EXCEEDED',
    'PAYMENT_ACCOUNT_INVALID',
    'PLATFORM_STOPPED',
    'PROVIDER_TIMEOUT',
  ],
});

export const listReconciliationReports = route({
  ...ofReconciliation,
  auth: 'master',
  name: 'reconciliation.listReports',
  method: 'get',
  path: reportsPath,
  summary: 'List reconciliation reports',
  description: 'Each compares the journal with the payment provider and the ledger network, in one currency. Newest first.',
  idempotent: false,
  params: noParams,
  query: z.strictObject({ ...pageQuery, currency: currency.optional() }),
  body: noBody,
  success: { status: 200, data: reconciliationReport, list: true },
  errors: [],
});

export const createReconciliationReports = route({
  ...ofReconciliation,
  auth: 'master',
  name: 'reconciliation.createReports',
  method: 'post',
  path: reportsPath,
  summary: 'Reconcile now',
  description: 'Compares the journal with the payment provider and the ledger network, and returns one report per currency.',
  idempotent: true,
  params: noParams,
  query: noQuery,
  body: noBody,
  success: { status: 201, data: z.object({ reports: z.array(reconciliationReport) }) },
  waitsFor: 'provider',
  errors: ['PROVIDER_TIMEOUT'],
});

export const reconciliationRoutes = {
  listReconciliationCases,
  resolveReconciliationCase,
  listReconciliationReports,
  createReconciliationReports,
};
