import { z } from 'zod';
import { auditResults } from '../messages/index.js';
import { freeText, id, instant, moment, noBody, noParams, pageQuery, textMax } from '../shapes/index.js';
import { route } from './route.js';

const state = z.record(z.string(), z.unknown()).nullable();
const action = z.string().regex(/^[A-Z][A-Z0-9_]*$/, 'must be such as RELEASE_REQUESTED');
const named = freeText(textMax.reference).min(1);

export const auditEntry = z
  .object({
    id: id('aud'),
    occurredAt: instant,
    action: action.meta({ description: 'The state that was entered, or the operation' }),
    resourceType: z.string(),
    resourceId: z.string(),
    actorType: z.string(),
    actorId: z.string(),
    result: z.enum(auditResults),
    reason: z.string().nullable(),
    before: state,
    after: state,
    requestId: z.string().nullable(),
    marketplaceId: id('mkt'),
  })
  .meta({
    id: 'AuditEntry',
    example: {
      id: 'aud_01JB2M3N4P5Q6R7S8T9V0W1X2Y',
      occurredAt: '2026-01-31T12:00:00.123456Z',
      action: 'RELEASE_REQUESTED',
      resourceType: 'Order',
      resourceId: 'ord_01JB2M3N4P5Q6R7S8T9V0W1X2Y',
      actorType: 'api_key',
      actorId: 'key_01JB2M3N4P5Q6R7S8T9V0W1X2Y',
      result: 'SUCCESS',
      reason: 'Work accepted',
      before: { status: 'IN_PROGRESS' },
      after: { status: 'RELEASE_REQUESTED' },
      requestId: '7f0c1a52-3f5e-4c1b-9a53-0c2f6f0f7d11',
      marketplaceId: 'mkt_default',
    },
  });
export type AuditEntryRecord = z.infer<typeof auditEntry>;

export const listAuditEntries = route({
  service: 'notifications',
  family: 'plain',
  name: 'listAuditEntries',
  method: 'get',
  path: '/audit/logs',
  summary: 'List who did what, newest first',
  auth: 'read',
  idempotent: false,
  params: noParams,
  malformedParams: 'NOT_FOUND',
  body: noBody,
  query: z.strictObject({
    limit: pageQuery.limit,
    cursor: pageQuery.cursor,
    action: action.max(textMax.reference).optional(),
    resourceType: named.optional(),
    resourceId: named.optional(),
    actorId: named.optional(),
    result: z.enum(auditResults).optional(),
    from: moment.optional().meta({ description: 'Only entries at or after this moment', example: '2026-01-01T00:00:00Z' }),
    to: moment.optional().meta({ description: 'Only entries before this moment' }),
  }),
  success: { status: 200, data: auditEntry, list: true },
  errors: [],
});

export const auditRoutes = [listAuditEntries] as const;
