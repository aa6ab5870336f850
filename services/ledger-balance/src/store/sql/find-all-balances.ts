import { accounts } from '../schema.js';

/** The accounts of a user; none if the user is not known yet. An account without a change was created by a refused request. */
export const findAllBalances = {
  name: 'find-all-balances',
  text: `
  select ${accounts.selected}
  from users
  join accounts on accounts.owner = users.id
    and accounts.kind = 'user'
    and accounts.version > 0
  where users.id = $2
    and users.marketplace_id = $1
  order by accounts.currency`,
};
