import { z } from 'zod';
import { instant } from '../shapes/index.js';
import { serviceNames } from '../services/index.js';
import { message } from './message.js';

export const auditResults = ['SUCCESS', 'FAILURE'] as const;
export type AuditResult = (typeof auditResults)[number];

const state = z
  .record(z.string(), z.unknown())
  .nullable()
  .meta({ example: { status: 'RELEASE_REQUESTED' } });

const auditFact = z.strictObject({
  action: z
    .string()
    .regex(/^[A-Z][A-Z0-9_]*$/)
    .meta({ description: 'New state of the resource, or operation', example: 'RELEASE_REQUESTED' }),
  resourceType: z.string().meta({ example: 'Order' }),
  resourceId: z.string().meta({ example: 'ord_01JB2M3N4P5Q6R7S8T9V0W1X2Y' }),
  /** Further resources that the entry is about, such as the order of a dispute. */
  relatedIds: z
    .array(z.string().meta({ example: 'ord_01JB2M3N4P5Q6R7S8T9V0W1X2Y' }))
    .max(10)
    .exactOptional(),
  actorType: z.string().meta({ example: 'api_key' }),
  actorId: z.string().meta({ example: 'key_01JB2M3N4P5Q6R7S8T9V0W1X2Y' }),
  result: z.enum(auditResults),
  reason: z.string().nullable().meta({ example: 'The work is accepted.' }),
  before: state,
  after: state,
  recordedAt: instant,
});
export type AuditFact = z.infer<typeof auditFact>;

/**
 * Every service publishes its own audit entries, in the transaction of the change that they describe. `afterEventId` names the
 * public event that the entry reports, if there is one: the entry is shown with the `occurredAt` of that event.
 */
export const auditRecorded = message({
  type: 'audit.recorded',
  version: 1,
  visibility: 'internal',
  aggregateType: 'Audit',
  publisher: serviceNames,
  summary: 'An audit log entry was recorded.',
  payload: auditFact,
});

export const auditMessages = [auditRecorded] as const;

/** Not shown to marketplaces, because a refused credential belongs to no marketplace. */
export const credentialsRefusedAction = 'CREDENTIALS_REFUSED';
