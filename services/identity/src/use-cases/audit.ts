import type { Context } from '@holdfast/kernel/context';
import { auditRecorded } from '@holdfast/contracts/messages';
import type { MarketplaceId } from '@holdfast/kernel/ids';
import type { ApiKey } from '../domain/api-key.js';
import type { User } from '../domain/user.js';
import type { UnitOfWork } from './ports.js';

type State = Readonly<Record<string, unknown>>;

/** One entry of the audit trail, in the words of the place that writes it. */
export type NewAuditEntry = {
  readonly action: string;
  readonly resourceType: 'ApiKey' | 'Marketplace' | 'User';
  readonly resource: { readonly id: string; readonly version: number; readonly marketplaceId: MarketplaceId };
  readonly before: State | null;
  readonly after: State | null;
};

/** Told in the transaction of the change that it is about. */
export function publishAudit(tx: Pick<UnitOfWork, 'publish'>, entry: NewAuditEntry, { caller, at }: Context): void {
  const { action, resourceType, resource, before, after } = entry;
  tx.publish(auditRecorded, {
    aggregateId: resource.id,
    aggregateVersion: resource.version,
    marketplaceId: resource.marketplaceId,
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

/** What the trail keeps of a key: never anything that it opens with. */
export function auditedKey({ name, scopes, secretNumber, previous, expiresAt, revokedAt }: ApiKey): State {
  return { name, scopes, secretNumber, previousKeyValidUntil: previous?.validUntil ?? null, expiresAt, revokedAt };
}

export function auditedUser({ externalUserId, email, type, status, metadata }: User): State {
  return { externalUserId, email, type, status, metadata };
}

const changeable = ['status', 'email', 'metadata'] as const;

/** What a patch has changed, and nothing else of the user. */
export function auditedChange(before: User, after: User): Pick<NewAuditEntry, 'before' | 'after'> {
  const changed = changeable.filter((field) => JSON.stringify(before[field]) !== JSON.stringify(after[field]));
  const only = (user: User): State => Object.fromEntries(changed.map((field) => [field, user[field]]));
  return { before: only(before), after: only(after) };
}
