/**
 * Everything a batch of postings changes, in one statement and one round trip. The sub-statements touch different tables,
 * and no two rows of a batch are the same row, so their order does not matter. Accounts are named twice because only `any`
 * makes every plan look them up by index; a join alone may read the whole table. Arrays are unnested side by side in the
 * select list, where rows stream, and not in the from clause, where each array is stored away first.
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
    from (
      select unnest($2::bigint[]) as id, unnest($3::bigint[]) as available_units, unnest($4::bigint[]) as reserved_units,
        unnest($5::integer[]) as version
    ) as changed
    where accounts.id = changed.id
      and accounts.id = any($2::bigint[])
  ),
  new_transfers as (
    insert into transfers (
      id, cause, type, marketplace_id, account_id, units, available_units, reserved_units, account_version,
      order_id, reference, reference_key, description, created_at
    )
    select unnest($6::text[]), unnest($7::text[]), unnest($8::text[]), unnest($9::text[]), unnest($10::bigint[]),
      unnest($11::bigint[]), unnest($12::bigint[]), unnest($13::bigint[]), unnest($14::integer[]),
      unnest($15::text[]), unnest($16::text[]), unnest($17::text[]), unnest($18::text[]), $1
  ),
  kept_reservations as (
    insert into reservations (id, account_id, kind, subject_id, active_units, reason, created_at, updated_at)
    select unnest($19::text[]), unnest($20::bigint[]), unnest($21::text[]), unnest($22::text[]), unnest($23::bigint[]),
      unnest($24::text[]), $1, $1
    on conflict (id) do update
    set active_units = excluded.active_units,
      updated_at = excluded.updated_at
  )
  insert into legs (transfer_id, account_id, part, units, balance_units)
  select unnest($25::text[]), unnest($26::bigint[]), unnest($27::text[]), unnest($28::bigint[]), unnest($29::bigint[])`,
};
