import { insertMany, selectList, updateMany } from '@holdfast/shared/postgres';
import { transactionColumns } from '../store/schema.js';

const transactions = { table: 'ledger_transactions', columns: transactionColumns } as const;

export const insertTransactions = insertMany({ ...transactions, name: 'insert-ledger-transactions' });

/** Once a transaction has ended its state stays, whoever says what. */
export const endTransactions = updateMany({
  ...transactions,
  name: 'end-ledger-transactions',
  key: ['hash'],
  set: ['state'],
  where: `ledger_transactions.state = 'OPEN'`,
  suffix: 'returning ledger_transactions.hash',
});

export const findTransaction = {
  name: 'find-ledger-transaction',
  text: `
  select hash
  from ledger_transactions
  where hash = $1`,
};

/** What has landed and what may land, in the order in which they were made. */
export const findLive = {
  name: 'find-live-ledger-transactions',
  text: `
  select ${selectList(transactionColumns, 'ledger_transactions')}
  from ledger_transactions
  where intent_id = $1
    and state in ('OPEN', 'LANDED')
  order by created_at`,
};
