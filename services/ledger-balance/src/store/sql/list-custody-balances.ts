/** A page of the chain accounts and their balances after a ledger, without the accounts of the given owners. See ADR 0079. */
export const listCustodyBalances = {
  name: 'list-custody-balances',
  text: `
  select accounts.id,
    accounts.owner,
    accounts.currency,
    (
      custody_balances.units - coalesce(
        (
          select sum(recent_custody_legs.units)
          from recent_custody_legs
          where recent_custody_legs.account_id = custody_balances.account_id
            and recent_custody_legs.ledger > $4
        ),
        0
      )
    )::bigint as units
  from custody_balances
  join accounts on accounts.id = custody_balances.account_id
  where custody_balances.account_id > $1
    and accounts.owner <> all($2)
  order by custody_balances.account_id
  limit $3`,
};

export type CustodyBalanceOfOwnerRow = {
  readonly id: bigint;
  readonly owner: string;
  readonly currency: string;
  readonly units: bigint;
};
