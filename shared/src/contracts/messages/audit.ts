import { z } from 'zod';
import { instant } from '../shapes/index.js';
import { serviceNames } from '../services/index.js';
import { message } from './message.js';

export const auditResults = ['SUCCESS', 'FAILURE'] as const;
export type AuditResult = (typeof auditResults)[number];

const state = z.record(z.string(), z.unknown()).nullable();

const auditFact = z.strictObject({
  action: z
    .string()
    .regex(/^[A-Z][A-Z0-9_]*$/)
    .meta({ description: 'The state entered or the operation', example: 'RELEASE_REQUESTED' }),
  resourceType: z.string().meta({ example: 'Order' }),
  resourceId: z.string(),
  actorType: z.string().meta({ example: 'api_key' }),
  actorId: z.string(),
  result: z.enum(auditResults),
  reason: z.string().nullable(),
  before: state,
  after: state,
  recordedAt: instant,
});
export type AuditFact = z.infer<typeof auditFact>;

/** Every service tells its own audit facts, each in the transaction of the change it is about. */
export const auditRecorded = message({
  type: 'audit.recorded',
  version: 1,
  visibility: 'internal',
  aggregateType: 'Audit',
  publisher: serviceNames,
  summary: 'Somebody did something, or tried to.',
  listeners: ['notifications'],
  payload: auditFact,
});

export const auditMessages = [auditRecorded] as const;
