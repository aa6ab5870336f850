-- Turns the emergency stop on in a restored database, before any service runs on it. One version for all four schemas, newer than
-- every earlier one, so that no change that was under way when the backup was made turns it off again.
with stopped as (
  update identity.emergency_stop
  set is_stopped = true,
    version = 1 + greatest(
      version,
      (select max(version) from escrow_adapter.emergency_stop),
      (select max(version) from payments.emergency_stop),
      (select max(version) from orders.emergency_stop)
    ),
    changed_at = :'at'::timestamptz,
    changed_by = 'restore',
    reason = :'reason'
  returning version
), in_adapter as (
  insert into escrow_adapter.emergency_stop (is_stopped, version, changed_at)
  select true, version, :'at'::timestamptz
  from stopped
  on conflict (is_only_row) do update
  set is_stopped = true, version = excluded.version, changed_at = excluded.changed_at
), in_orders as (
  insert into orders.emergency_stop (is_stopped, version, changed_at, restored_at)
  select true, version, :'at'::timestamptz, :'at'::timestamptz
  from stopped
  on conflict (is_only_row) do update
  set is_stopped = true, version = excluded.version, changed_at = excluded.changed_at, restored_at = excluded.restored_at
)
insert into payments.emergency_stop (is_stopped, version, changed_at, restored_at)
select true, version, :'at'::timestamptz, :'at'::timestamptz
from stopped
on conflict (is_only_row) do update
set is_stopped = true, version = excluded.version, changed_at = excluded.changed_at, restored_at = excluded.restored_at
