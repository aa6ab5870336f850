import { z } from 'zod';
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

const path = '/reconciliation/cases';
const ofCases = { service: 'payments', family: 'plain', auth: 'support', malformedParams: 'NOT_FOUND' } as const;

export const caseStatuses = ['OPEN', 'RESOLVED'] as const;
export const caseActions = ['credit', 'return', 'write_off'] as const;

export const reconciliationCase = z
  .object({
    id: id('case'),
    status: z.enum(caseStatuses),
    userId: id('usr').nullable().meta({ description: 'Owner of the payment; null if unknown' }),
    resourceType: z.string().meta({ description: 'Type of the related resource', example: 'TopUp' }),
    resourceId: z.string().meta({ description: 'Id of the related resource', example: 'topup_01JB2M3N4P5Q6R7S8T9V0W1X2Y' }),
    amount: amountOut,
    currency,
    reason: z
      .string()
      .meta({ description: 'Why the case was opened', example: 'The money arrived after the top-up was canceled.' }),
    action: z.enum(caseActions).nullable().meta({ description: 'Null until resolved', example: null }),
    note: z.string().nullable().meta({ description: 'Null until resolved', example: null }),
    resolvedBy: z.string().nullable().meta({ description: 'Null until resolved', example: null }),
    createdAt: instant,
    resolvedAt: instant.nullable().meta({ description: 'Null until resolved', example: null }),
  })
  .meta({ id: 'ReconciliationCase' });
export type ReconciliationCaseRecord = z.infer<typeof reconciliationCase>;

export const listReconciliationCases = route({
  ...ofCases,
  name: 'reconciliation.listCases',
  method: 'get',
  path,
  summary: 'List reconciliation cases',
  description: 'Payments that could not be matched to an operation. Newest first.',
  idempotent: false,
  params: noParams,
  query: z.strictObject({
    ...pageQuery,
    userId: opaqueId.optional().meta({ example: 'usr_01JB2M3N4P5Q6R7S8T9V0W1X2Y' }),
    status: z.enum(caseStatuses).optional(),
  }),
  body: noBody,
  success: { status: 200, data: reconciliationCase, list: true },
  errors: [],
});

export const resolveReconciliationCase = route({
  ...ofCases,
  name: 'reconciliation.resolveCase',
  method: 'post',
  path: `${path}/{id}/resolve`,
  summary: 'Resolve a reconciliation case',
  description: '`credit` credits the user, `return` sends the payment back, `write_off` keeps it with the platform.',
  idempotent: true,
  params: z.strictObject({ id: id('case') }),
  query: noQuery,
  body: z.strictObject({
    action: z.enum(caseActions),
    note: freeText(textMax.note).min(1).meta({ description: 'Explanation', example: 'The user confirmed the payment by phone.' }),
  }),
  success: { status: 200, data: reconciliationCase },
  waitsFor: 'saga',
  errors: ['NOT_FOUND', 'INVALID_STATE', 'LIMIT_EXCEEDED', 'PROVIDER_TIMEOUT'],
});

export const reconciliationRoutes = { listReconciliationCases, resolveReconciliationCase };
