import type { Instant } from '@holdfast/kernel/context';
import type { Id, MarketplaceId } from '@holdfast/kernel/ids';

/** What is kept of somebody who did something, or tried to. States are texts of JSON, exactly as they are stored. */
export type AuditEntry = {
  readonly position: bigint;
  readonly id: Id<'aud'>;
  readonly marketplaceId: MarketplaceId;
  readonly occurredAt: Instant;
  readonly action: string;
  readonly resourceType: string;
  readonly resourceId: string;
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

/** What the hash of an entry is taken of: the hash before it, and every field in a fixed order. */
export function linkText(previousHash: string, entry: AuditEntry): string {
  const { position, id, marketplaceId, occurredAt, action, resourceType, resourceId } = entry;
  const { actorType, actorId, result, reason, before, after, requestId } = entry;
  const what = [position.toString(), id, marketplaceId, occurredAt, action, resourceType, resourceId];
  return JSON.stringify([previousHash, ...what, actorType, actorId, result, reason, before, after, requestId]);
}

/** What a seal is taken of: the seal before it, and where the chain stands after the batch. */
export function sealText(previousSeal: string, { batch, firstPosition, lastPosition, lastHash, sealedAt }: AuditSeal): string {
  return JSON.stringify([previousSeal, batch.toString(), firstPosition.toString(), lastPosition.toString(), lastHash, sealedAt]);
}
