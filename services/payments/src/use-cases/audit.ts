import type { AuditFact } from '@holdfast/contracts/messages';
import type { Aggregate } from '../domain/aggregate.js';
import type { Origin } from './origin.js';

type State = Readonly<Record<string, unknown>>;

/** An audit entry before it is published as audit.recorded. */
export type NewAuditEntry = {
  readonly action: string;
  readonly result?: 'FAILURE';
  readonly reason?: string | null;
  readonly before: State | null;
  readonly after: State | null;
  /** The type of the public event of the same change that the entry reports. */
  readonly reports?: string;
};

/** The resource type and the related resources of an aggregate's entries. */
export type AuditedResource = { readonly resourceType: string; readonly relatedIds?: readonly string[] };

export function auditFactOf({ id }: Aggregate, resource: AuditedResource, entry: NewAuditEntry, origin: Origin): AuditFact {
  const { relatedIds } = resource;
  return {
    action: entry.action,
    resourceType: resource.resourceType,
    resourceId: id,
    ...(relatedIds === undefined ? {} : { relatedIds: [...relatedIds] }),
    actorType: origin.actor.type,
    actorId: origin.actor.id,
    result: entry.result ?? 'SUCCESS',
    reason: entry.reason ?? null,
    before: entry.before,
    after: entry.after,
    recordedAt: origin.at,
  };
}

/** The entry about a status that an aggregate enters. */
export function statusEntry(
  before: string | null,
  after: string,
  { reason, reports }: Pick<NewAuditEntry, 'reason' | 'reports'> = {},
): NewAuditEntry {
  return {
    action: after,
    before: before === null ? null : { status: before },
    after: { status: after },
    ...(reason === undefined ? {} : { reason }),
    ...(reports === undefined ? {} : { reports }),
  };
}
