import { selectList } from '@holdfast/postgres';
import { accountColumns } from '../schema.js';

/** An account without a change was created by a refused request. */
export const findAllBalances = {
  name: 'find-all-balances',
  text: `
  select ${selectList(accountColumns, 'accounts')}
  from accounts
  where owner = $1
    and kind = 'user'
    and version > 0
  order by currency`,
};
