import { createHmac, hash } from 'node:crypto';
import type { Instant } from '@holdfast/shared/context';
import type { AuditFact } from '@holdfast/shared/contracts/messages';
import { type Tx } from '@holdfast/shared/postgres';
import { linkText, sealText, type AuditEntry, type AuditSeal } from '../domain/audit-chain.js';
import type { AuditArrival } from '../use-cases/ports.js';
import { appendAudit } from './sql/append-audit.js';

/** Where the chain stands. */
export type AuditEnd = {
  readonly audit_position: bigint;
  readonly audit_hash: string;
  readonly audit_batch: bigint;
  readonly audit_seal: string;
};

/** Signs with a key that is not in the database. */
export type Sealer = (text: string) => string;

/** What the key of the seals is derived for. */
export const auditSealPurpose = 'notifications audit seals';

export function hashOf(text: string): string {
  return hash('sha256', text);
}

export function sealerWith(key: Buffer): Sealer {
  return (text) => createHmac('sha256', key).update(text).digest('hex');
}

type Fact = { readonly arrival: AuditArrival; readonly occurredAt: Instant };

export type Recording = {
  readonly facts: readonly Fact[];
  readonly end: AuditEnd;
  readonly sealedAt: Instant;
  readonly sealer: Sealer;
};

/** The facts of one commit, chained to those before and sealed. */
export type Sealed = {
  readonly entries: readonly AuditEntry[];
  readonly hashes: readonly string[];
  readonly seal: AuditSeal;
  /** Where the chain stands with them. */
  readonly end: AuditEnd;
};

export function sealFacts({ facts, end, sealedAt, sealer }: Recording): Sealed {
  let lastHash = end.audit_hash;
  const entries = facts.map((fact, index) => entryOf(fact, end.audit_position + BigInt(index + 1)));
  const hashes = entries.map((entry) => (lastHash = hashOf(linkText(lastHash, entry))));
  const seal: AuditSeal = {
    batch: end.audit_batch + 1n,
    firstPosition: end.audit_position + 1n,
    lastPosition: end.audit_position + BigInt(entries.length),
    lastHash,
    sealedAt,
  };
  const audit_seal = sealer(sealText(end.audit_seal, seal));
  return {
    entries,
    hashes,
    seal,
    end: { audit_position: seal.lastPosition, audit_hash: lastHash, audit_batch: seal.batch, audit_seal },
  };
}

export function recordAudit(tx: Tx, { entries, hashes, seal, end }: Sealed): void {
  tx.defer(appendAudit, [
    ...columnsOf(entries),
    hashes,
    seal.batch,
    seal.firstPosition,
    seal.lastPosition,
    seal.lastHash,
    seal.sealedAt,
    end.audit_seal,
  ]);
}

/** In the order of the statement's parameters. */
function columnsOf(entries: readonly AuditEntry[]): readonly (readonly (string | null)[])[] {
  return [
    entries.map(({ position }) => position.toString()),
    entries.map(({ id }) => id),
    entries.map(({ marketplaceId }) => marketplaceId),
    entries.map(({ occurredAt }) => occurredAt),
    entries.map(({ action }) => action),
    entries.map(({ resourceType }) => resourceType),
    entries.map(({ resourceId }) => resourceId),
    entries.map(({ actorType }) => actorType),
    entries.map(({ actorId }) => actorId),
    entries.map(({ result }) => result),
    entries.map(({ reason }) => reason),
    entries.map(({ before }) => before),
    entries.map(({ after }) => after),
    entries.map(({ requestId }) => requestId),
  ];
}

/** The id follows from the message's, so telling a fact twice is telling the same entry. */
function entryOf({ arrival: { message }, occurredAt }: Fact, position: bigint): AuditEntry {
  const { action, resourceType, resourceId, actorType, actorId, result, reason, before, after } = message.payload;
  return {
    position,
    id: `aud_${message.id.slice('evt_'.length)}`,
    marketplaceId: message.marketplaceId,
    occurredAt,
    action,
    resourceType,
    resourceId,
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
