import { forRows } from '@holdfast/shared/postgres';

/** Only while the lease of its intent is held: whoever has taken over must not be surprised by one more. */
export const insertOpen = forRows((rows, count) => ({
  name: `insert-ledger-transactions-${count}`,
  text: `
  insert into ledger_transactions (
    hash, intent_id, step, request_hash, source_account, sequence, envelope, valid_until, state
  )
  values ${rows(['text', 'text', 'text', 'text', 'text', 'bigint', 'text', 'timestamptz', 'text'])}`,
}));

/** The state is asked for in words that do not lead the server to the index of open ones, which is full of those ended lately. */
export const endTransactions = forRows((rows, count) => ({
  name: `end-ledger-transactions-${count}`,
  text: `
  update ledger_transactions
  set state = given.state
  from (values ${rows(['text', 'text'])}) as given (hash, state)
  where ledger_transactions.hash = given.hash
    and coalesce(ledger_transactions.state, '') = 'OPEN'`,
}));

export const findLive = {
  name: 'find-live-ledger-transactions',
  text: `
  select hash,
    step,
    source_account as "sourceAccount",
    sequence,
    envelope,
    valid_until as "validUntil",
    state = 'OPEN' as "isOpen"
  from ledger_transactions
  where intent_id = $1
    and state in ('OPEN', 'LANDED')
  order by created_at`,
};
