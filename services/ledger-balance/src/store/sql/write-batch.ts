/**
 * Everything a batch of postings changes, in one statement and one round trip. The sub-statements touch different tables,
 * and no two rows of a batch are the same row, so their order does not matter. Accounts are named twice because only `any`
 * makes every plan look them up by index; a join alone may read the whole table.
 */
export const writeBatch = {
  name: 'write-batch',
  text: `
  with changed_accounts as (
    update accounts
    set available_units = changed.available_units,
      reserved_units = changed.reserved_units,
      version = changed.version,
      updated_at = $1
    from unnest($2::bigint[], $3::bigint[], $4::bigint[], $5::integer[])
      as changed (id, available_units, reserved_units, version)
    where accounts.id = changed.id
      and accounts.id = any($2::bigint[])
  ),
  new_transfers as (
    insert into transfers (
      id, cause, type, marketplace_id, account_id, units, available_units, reserved_units, account_version,
      order_id, reference, reference_key, description, created_at
    )
    select id, cause, type, marketplace_id, account_id, units, available_units, reserved_units, account_version,
      order_id, reference, reference_key, description, $1
    from unnest(
      $6::text[], $7::text[], $8::text[], $9::text[], $10::bigint[], $11::bigint[], $12::bigint[], $13::bigint[], $14::integer[],
      $15::text[], $16::text[], $17::text[], $18::text[]
    ) as new (
      id, cause, type, marketplace_id, account_id, units, available_units, reserved_units, account_version,
      order_id, reference, reference_key, description
    )
  ),
  kept_reservations as (
    insert into reservations (id, account_id, kind, subject_id, active_units, reason, created_at, updated_at)
    select id, account_id, kind, subject_id, active_units, reason, $1, $1
    from unnest($19::text[], $20::bigint[], $21::text[], $22::text[], $23::bigint[], $24::text[])
      as kept (id, account_id, kind, subject_id, active_units, reason)
    on conflict (id) do update
    set active_units = excluded.active_units,
      updated_at = excluded.updated_at
  )
  insert into legs (transfer_id, account_id, part, units, balance_units)
  select transfer_id, account_id, part, units, balance_units
  from unnest($25::text[], $26::bigint[], $27::text[], $28::bigint[], $29::bigint[])
    as new (transfer_id, account_id, part, units, balance_units)`,
};
