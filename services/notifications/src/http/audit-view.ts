import type { z } from 'zod';
import type { AuditEntryRecord, auditProof } from '@holdfast/shared/contracts/http';
import type { AuditEntry } from '../domain/audit-chain.js';
import type { AuditProof } from '../use-cases/ports.js';

export function viewOfEntry({ position, before, after, ...entry }: AuditEntry): AuditEntryRecord {
  return { ...entry, before: stateOf(before), after: stateOf(after) };
}

/** It was an object when it was told. */
function stateOf(text: string | null): AuditEntryRecord['before'] {
  return text === null ? null : (JSON.parse(text) as Record<string, unknown>);
}

export function viewOfProof({ entries, batches, checkedAt, lastHash, firstBreak }: AuditProof): z.input<typeof auditProof> {
  return {
    isSound: firstBreak === null,
    entries: entries.toString(),
    batches: batches.toString(),
    checkedAt,
    lastHash,
    firstBreak:
      firstBreak === null
        ? null
        : { ...firstBreak, position: firstBreak.position.toString(), batch: firstBreak.batch.toString() },
  };
}
