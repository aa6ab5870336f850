import type { NewAuditEntry } from '@holdfast/sagas';

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
