/**
 * Accounts that this process has not met yet are looked up by index, once each, and told by their ids; all others are named by
 * theirs. Legs name an account by its place among all of them.
 */
export const bookLanded = {
  name: 'book-landed',
  text: `
  with unmet as materialized (
    select array(
      select (
        select accounts.id
        from accounts
        where accounts.owner = wanted.owner
          and accounts.currency = wanted.currency
          and accounts.kind = 'chain'
      )
      from unnest($1::text[], $2::text[]) with ordinality as wanted (owner, currency, place)
      order by wanted.place
    ) as ids
  ),
  located as materialized (
    select $3::bigint[] || unmet.ids as ids
    from unmet
  ),
  new_transfers as (
    insert into transfers (id, cause, type, marketplace_id, created_at)
    select unnest($6::text[]), unnest($7::text[]), 'CUSTODY', unnest($8::text[]), $4::timestamptz
  ),
  new_legs as (
    insert into legs (transfer_id, account_id, part, units)
    select leg.transfer_id, located.ids[leg.place], 'available', leg.units
    from located
    cross join (
      select unnest($9::text[]) as transfer_id, unnest($10::integer[]) as place, unnest($11::bigint[]) as units
    ) as leg
  ),
  changed_balances as (
    insert into custody_balances (account_id, units)
    select unnest(located.ids) as account_id, unnest($5::bigint[])
    from located
    order by account_id
    on conflict (account_id) do update
    set units = custody_balances.units + excluded.units
  )
  select unnest(unmet.ids) as id
  from unmet`,
};

export type MetRow = { readonly id: bigint };
