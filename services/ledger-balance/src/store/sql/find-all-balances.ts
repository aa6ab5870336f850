import { selectList } from '@holdfast/postgres';
import { accountColumns } from '../schema.js';
import { accountsOfUser } from './accounts-of-user.js';

export const findAllBalances = {
  name: 'find-all-balances',
  text: `
  select ${selectList(accountColumns, 'accounts')}
  ${accountsOfUser}`,
};
