import type { CaseKind } from '@holdfast/contracts/messages';
import { handleOnce } from '@holdfast/messaging/inbox';
import type { Database } from '@holdfast/postgres';
import type { WalletsModule } from '../ports.js';

const resolveQuarantined = {
  name: 'resolve-quarantined-record',
  text: `
  update quarantined_records
  set resolved_at = $2
  from quarantined_records as named
  where named.id = $1
    and quarantined_records.reason = named.reason
    and quarantined_records.user_ids = named.user_ids
    and quarantined_records.resolved_at is null`,
};

const quarantined: CaseKind = 'quarantined_record';

/** A case stands for all records of the same wallets with the same reason. Cases of other kinds keep nothing back here. */
export function caseResolvedHandler(database: Pick<Database, 'inTransaction'>): WalletsModule['handleCaseResolved'] {
  return handleOnce({ database, consumer: 'escrow-adapter' }, (tx, { payload: { kind, sourceId } }, { at }) => {
    if (kind === quarantined) tx.defer(resolveQuarantined, [sourceId, at]);
    return Promise.resolve();
  });
}
