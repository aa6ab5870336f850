/** Includes reservations that are used up. */
export const findReservedCurrencies = {
  name: 'find-reserved-currencies',
  text: `
  select distinct accounts.currency
  from reservations
  join accounts on accounts.id = reservations.account_id
  where reservations.subject_id = $2
    and reservations.kind = 'order'
    and accounts.owner = $1
  order by accounts.currency`,
};
