import { accounts } from '../schema.js';
import { accountsOfUser } from './accounts-of-user.js';

export const findAllBalances = {
  name: 'find-all-balances',
  text: `
  select ${accounts.selected}
  ${accountsOfUser}`,
};
