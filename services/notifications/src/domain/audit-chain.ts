import type { Instant } from '@holdfast/kernel/context';
import type { Id, MarketplaceId } from '@holdfast/kernel/ids';

/**
 * One entry of the audit trail. `before` and `after` are JSON texts exactly as stored, because the hash is computed from the
 * text.
 */
export type AuditEntry = {
  readonly position: bigint;
  readonly id: Id<'aud'>;
  readonly marketplaceId: MarketplaceId;
  readonly occurredAt: Instant;
  readonly action: string;
  readonly resourceType: string;
  readonly resourceId: string;
  /** Further resources that the entry is about, such as the order of a dispute. */
  readonly relatedIds: readonly string[];
  readonly actorType: string;
  readonly actorId: string;
  readonly result: 'SUCCESS' | 'FAILURE';
  readonly reason: string | null;
  readonly before: string | null;
  readonly after: string | null;
  readonly requestId: string | null;
};

export type AuditSeal = {
  readonly batch: bigint;
  readonly firstPosition: bigint;
  readonly lastPosition: bigint;
  readonly lastHash: string;
  readonly sealedAt: Instant;
};

/** The text that an entry's hash is computed from: the previous hash, and every field in a fixed order. */
export function linkText(previousHash: string, entry: AuditEntry): string {
  const { position, id, marketplaceId, occurredAt, action, resourceType, resourceId, relatedIds } = entry;
  const { actorType, actorId, result, reason, before, after, requestId } = entry;
  const fields = [position.toString(), id, marketplaceId, occurredAt, action, resourceType, resourceId, relatedIds];
  return JSON.stringify([previousHash, ...fields, actorType, actorId, result, reason, before, after, requestId]);
}

/** The text that a seal is computed from: the previous seal, and the end of the chain after the batch. */
export function sealText(previousSeal: string, { batch, firstPosition, lastPosition, lastHash, sealedAt }: AuditSeal): string {
  return JSON.stringify([previousSeal, batch.toString(), firstPosition.toString(), lastPosition.toString(), lastHash, sealedAt]);
}
