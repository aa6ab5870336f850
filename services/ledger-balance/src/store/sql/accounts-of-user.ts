/** `$1` is the marketplace, `$2` the user. An account without a change was created by a refused request. */
export const accountsOfUser = `
  from users
  join accounts on accounts.owner = users.id
    and accounts.kind = 'user'
    and accounts.version > 0
  where users.id = $2
    and users.marketplace_id = $1
  order by accounts.currency`;
