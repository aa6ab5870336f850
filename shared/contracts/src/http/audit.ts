import { z } from 'zod';
import { auditResults } from '../messages/index.js';
import { freeText, id, instant, instantIn, noBody, noParams, noQuery, pageQuery, textMax } from '../shapes/index.js';
import { route } from './route.js';

const state = z.record(z.string(), z.unknown()).nullable();
const action = z.string().regex(/^[A-Z][A-Z0-9_]*$/, 'must be such as RELEASE_REQUESTED');
const named = freeText(textMax.reference).min(1);

export const auditEntry = z
  .object({
    id: id('aud'),
    occurredAt: instant,
    action: action.meta({ description: 'New state of the resource, or operation' }),
    resourceType: z.string(),
    resourceId: z.string(),
    relatedIds: z.array(z.string()).meta({ description: 'Ids of further resources that the entry is about' }),
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
      relatedIds: [],
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
  name: 'audit.listEntries',
  method: 'get',
  path: '/audit/logs',
  summary: 'List audit log entries',
  description: 'Newest first.',
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
    resourceId: named.optional().meta({ description: 'Also finds entries that have the id among their `relatedIds`' }),
    actorId: named.optional(),
    result: z.enum(auditResults).optional(),
    from: instantIn.optional().meta({ description: 'Entries at or after this time', example: '2026-01-01T00:00:00Z' }),
    to: instantIn.optional().meta({ description: 'Entries before this time' }),
  }),
  success: { status: 200, data: auditEntry, list: true },
  errors: [],
});

const count = z.string().regex(/^\d+$/);

export const auditProof = z
  .object({
    isSound: z.boolean().meta({ description: 'Whether every entry is unmodified' }),
    entries: count.meta({ description: 'Number of unmodified entries, counted from the first' }),
    batches: count.meta({ description: 'Number of signed batches' }),
    checkedAt: instant,
    lastHash: z.string().meta({ description: 'Hash of the last unmodified entry. Keep it to detect a truncated log later' }),
    firstBreak: z
      .object({
        entryId: id('aud').nullable().meta({ description: 'Null if the entry is missing' }),
        position: count,
        batch: count,
        fault: z.enum(['altered', 'missing', 'unsealed', 'seal broken']),
      })
      .nullable(),
  })
  .meta({
    id: 'AuditProof',
    example: {
      isSound: true,
      entries: '1204',
      batches: '873',
      checkedAt: '2026-01-31T12:00:00.123456Z',
      lastHash: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
      firstBreak: null,
    },
  });

export const verifyAuditTrail = route({
  service: 'notifications',
  family: 'plain',
  name: 'audit.verify',
  method: 'get',
  path: '/audit/verification',
  summary: 'Verify the audit log',
  description:
    'Entries form a hash chain, and each batch is signed with a key that is not stored in the database. Checks the whole log and returns the first invalid entry. Requires the master key.',
  auth: 'master',
  idempotent: false,
  params: noParams,
  malformedParams: 'NOT_FOUND',
  body: noBody,
  query: noQuery,
  success: { status: 200, data: auditProof },
  errors: [],
});

export const auditRoutes = { listAuditEntries, verifyAuditTrail };
