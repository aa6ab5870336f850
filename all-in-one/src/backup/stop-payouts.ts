import { runAsAdministrator } from '@holdfast/dev-servers/postgres';

/** Why the emergency stop of a restored installation is on, and since when. */
export type RestoreFacts = { readonly backupCreatedAt: string; readonly restoredAt: string };

/**
 * Turns the emergency stop on in the database of a restored installation, before any service runs on it. All four schemas get the same
 * new version, so that no change that was under way when the backup was made turns it off again.
 */
export async function stopPayouts(databaseUrl: string, { backupCreatedAt, restoredAt }: RestoreFacts): Promise<void> {
  const reason = `restored from the backup of ${backupCreatedAt}; what was paid since then could be paid again`;
  await runAsAdministrator(databaseUrl, stopPayoutsStatement, [restoredAt, reason]);
}

export const stopPayoutsStatement = `
  with stopped as (
    update identity.emergency_stop
    set is_stopped = true,
      version = 1 + greatest(
        version,
        (select max(version) from escrow_adapter.emergency_stop),
        (select max(version) from payments.emergency_stop),
        (select max(version) from orders.emergency_stop)
      ),
      changed_at = $1::timestamptz,
      changed_by = 'restore',
      reason = $2
    returning version
  ), in_adapter as (
    insert into escrow_adapter.emergency_stop (is_stopped, version, changed_at)
    select true, version, $1::timestamptz
    from stopped
    on conflict (is_only_row) do update
    set is_stopped = true, version = excluded.version, changed_at = excluded.changed_at
  ), in_orders as (
    insert into orders.emergency_stop (is_stopped, version, changed_at, restored_at)
    select true, version, $1::timestamptz, $1::timestamptz
    from stopped
    on conflict (is_only_row) do update
    set is_stopped = true, version = excluded.version, changed_at = excluded.changed_at, restored_at = excluded.restored_at
  )
  insert into payments.emergency_stop (is_stopped, version, changed_at, restored_at)
  select true, version, $1::timestamptz, $1::timestamptz
  from stopped
  on conflict (is_only_row) do update
  set is_stopped = true, version = excluded.version, changed_at = excluded.changed_at, restored_at = excluded.restored_at`;
