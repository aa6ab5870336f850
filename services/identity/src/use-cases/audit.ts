import type { Context } from '@holdfast/kernel/context';
import { auditRecorded } from '@holdfast/contracts/messages';
import type { MarketplaceId, MessageId } from '@holdfast/kernel/ids';
import type { ApiKey } from '../domain/api-key.js';
import type { User } from '../domain/user.js';
import type { UnitOfWork } from './ports.js';

type State = Readonly<Record<string, unknown>>;

/** An audit entry before it is published as audit.recorded. */
export type NewAuditEntry = {
  readonly action: string;
  readonly resourceType: 'ApiKey' | 'Marketplace' | 'User';
  readonly resource: { readonly id: string; readonly version: number; readonly marketplaceId: MarketplaceId };
  /** The public event that the entry reports, if there is one. */
  readonly eventId?: MessageId;
  readonly before: State | null;
  readonly after: State | null;
};

/** Publishes the audit entry in the transaction of its change. */
export function publishAudit(tx: Pick<UnitOfWork, 'publish'>, entry: NewAuditEntry, { caller, at }: Context): void {
  const { action, resourceType, resource, eventId, before, after } = entry;
  tx.publish(auditRecorded, {
    aggregateId: resource.id,
    aggregateVersion: resource.version,
    marketplaceId: resource.marketplaceId,
    afterEventId: eventId,
    payload: {
      action,
      resourceType,
      resourceId: resource.id,
      actorType: caller.type,
      actorId: caller.id,
      result: 'SUCCESS',
      reason: null,
      before,
      after,
      recordedAt: at,
    },
  });
}

/** The fields of a key in the audit trail, without secrets and their digests. */
export function auditedKey({ name, scopes, secretNumber, previous, expiresAt, revokedAt }: ApiKey): State {
  return { name, scopes, secretNumber, previousKeyValidUntil: previous?.validUntil ?? null, expiresAt, revokedAt };
}

export function auditedUser({ externalUserId, email, type, status, metadata }: User): State {
  return { externalUserId, email, type, status, metadata };
}

/** Only the fields that a patch has changed. */
export function auditedChangeOf<T>(
  before: T,
  after: T,
  fields: readonly (keyof T & string)[],
): Pick<NewAuditEntry, 'before' | 'after'> {
  const changed = fields.filter((field) => JSON.stringify(before[field]) !== JSON.stringify(after[field]));
  const only = (state: T): State => Object.fromEntries(changed.map((field) => [field, state[field]]));
  return { before: only(before), after: only(after) };
}
