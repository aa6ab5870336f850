import { createHmac, hash } from 'node:crypto';
import type { Instant } from '@holdfast/kernel/context';
import type { AuditFact } from '@holdfast/contracts/messages';
import { linkText, sealText, type AuditEntry, type AuditSeal } from '../domain/audit-chain.js';
import type { AuditArrival } from '../use-cases/ports.js';
import type { AuditEntryRow, AuditSealRow, LogEnd } from './schema.js';

/** The end of the hash chain. */
type AuditEnd = Omit<LogEnd, 'lastPosition'>;

/** Computes an HMAC with a key that is not in the database. */
export type Sealer = (text: string) => string;

/** Purpose from which the key of the seals is derived. */
export const auditSealPurpose = 'notifications audit seals';

export function hashOf(text: string): string {
  return hash('sha256', text);
}

export function sealerWith(key: Buffer): Sealer {
  return (text) => createHmac('sha256', key).update(text).digest('hex');
}

type AuditItem = { readonly arrival: AuditArrival; readonly occurredAt: Instant };

export type Recording = {
  readonly facts: readonly AuditItem[];
  readonly end: AuditEnd;
  readonly sealedAt: Instant;
  readonly sealer: Sealer;
};

/** The audit entries of one commit, chained to the previous ones and sealed. */
export type Sealed = {
  readonly entries: readonly AuditEntryRow[];
  readonly seal: AuditSealRow;
  /** The end of the chain after these entries. */
  readonly end: AuditEnd;
};

export function sealFacts({ facts, end, sealedAt, sealer }: Recording): Sealed {
  let lastHash = end.auditHash;
  const entries = facts.map((fact, index): AuditEntryRow => {
    const entry = entryOf(fact, end.auditPosition + BigInt(index + 1));
    lastHash = hashOf(linkText(lastHash, entry));
    return { ...entry, hash: lastHash };
  });
  const sealed: AuditSeal = {
    batch: end.auditBatch + 1n,
    firstPosition: end.auditPosition + 1n,
    lastPosition: end.auditPosition + BigInt(entries.length),
    lastHash,
    sealedAt,
  };
  const seal = sealer(sealText(end.auditSeal, sealed));
  return {
    entries,
    seal: { ...sealed, seal },
    end: { auditPosition: sealed.lastPosition, auditHash: lastHash, auditBatch: sealed.batch, auditSeal: seal },
  };
}

/** The id is derived from the message id, so that a message published twice is one entry. */
function entryOf({ arrival: { message }, occurredAt }: AuditItem, position: bigint): AuditEntry {
  const {
    action,
    resourceType,
    resourceId,
    relatedIds = [],
    actorType,
    actorId,
    result,
    reason,
    before,
    after,
  } = message.payload;
  return {
    position,
    id: `aud_${message.id.slice('evt_'.length)}`,
    marketplaceId: message.marketplaceId,
    occurredAt,
    action,
    resourceType,
    resourceId,
    relatedIds,
    actorType,
    actorId,
    result,
    reason,
    before: textOf(before),
    after: textOf(after),
    requestId: message.correlationId,
  };
}

function textOf(state: AuditFact['before']): string | null {
  return state === null ? null : JSON.stringify(state);
}
