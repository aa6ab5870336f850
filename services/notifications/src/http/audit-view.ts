import type { z } from 'zod';
import { auditEntry, type AuditEntryRecord, type auditProof } from '@holdfast/contracts/http';
import type { AuditEntry } from '../domain/audit-chain.js';
import type { AuditVerification } from '../use-cases/ports.js';

export function viewOfEntry({ position, relatedIds, before, after, ...entry }: AuditEntry): AuditEntryRecord {
  return { ...entry, relatedIds: [...relatedIds], before: stateOf(before), after: stateOf(after) };
}

function stateOf(text: string | null): AuditEntryRecord['before'] {
  return text === null ? null : auditEntry.shape.before.parse(JSON.parse(text));
}

export function viewOfVerification({
  entries,
  batches,
  checkedAt,
  lastHash,
  firstBreak,
}: AuditVerification): z.input<typeof auditProof> {
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
