import { columnsOf, selectList, unnestRows, updateMany } from '@holdfast/postgres';
import { transactionColumns, type TransactionRow } from '../store/schema.js';

/** An envelope that is stored before it is submitted, with the token of its intent's lease. */
export type OpenedRow = Omit<TransactionRow, 'state'> & { readonly leaseToken: number };
/** The lease of a source account. */
export type AccountLease = { readonly name: string; readonly token: string };

const { hash, intentId, step, requestHash, sourceAccount, sequence, envelope, validUntil } = transactionColumns;
const openedColumns = columnsOf<OpenedRow>()({
  ...{ hash, intentId, step, requestHash, sourceAccount, sequence, envelope, validUntil },
  leaseToken: { column: 'lease_token', type: 'integer' },
});
const accountLeaseColumns = columnsOf<AccountLease>()({
  name: { column: 'name', type: 'text' },
  token: { column: 'token', type: 'text' },
});

const endedRows = unnestRows(transactionColumns, ['hash', 'state'], { name: 'ended_rows' });
const accounts = unnestRows(accountLeaseColumns, ['name', 'token'], { name: 'account', parametersBefore: 2 });
const opened = unnestRows(
  openedColumns,
  ['hash', 'intentId', 'step', 'requestHash', 'sourceAccount', 'sequence', 'envelope', 'validUntil', 'leaseToken'],
  { name: 'envelopes', parametersBefore: 4 },
);

/**
 * Records ended transactions, releases the leases of their source accounts, and stores new envelopes; those of intents whose lease
 * was lost are left out. The state of an ended transaction never changes again.
 *
 * The count conditions order the CTEs: intents are locked first, and ended transactions are updated before new ones are inserted,
 * because a source account has one open transaction at a time.
 */
export const writeTransactions = {
  name: 'write-ledger-transactions',
  text: `
  with given as (
    select *
    from ${opened.from}
  ),
  held as (
    select intents.id
    from intents
    join given
      on given.intent_id = intents.id
        and given.lease_token = intents.lease_token
    where intents.closed_at is null
    order by intents.id
    for update of intents
  ),
  ended as (
    update ledger_transactions
    set state = ended_rows.state
    from ${endedRows.from}
    where ledger_transactions.hash = ended_rows.hash
      and ledger_transactions.state = 'OPEN'
      and (select count(*) from held) >= 0
    returning ledger_transactions.hash,
      ledger_transactions.state
  ),
  unpublished as (
    insert into unpublished_transactions (hash)
    select hash
    from ended
    where state <> 'DEAD'
      and $14
    on conflict (hash) do nothing
  ),
  released as (
    update leases
    set until = '-infinity'
    from ${accounts.from}
    where leases.name = account.name
      and leases.token = account.token
    returning leases.name,
      leases.has_waiter
  ),
  opened as (
    insert into ledger_transactions (hash, intent_id, step, request_hash, source_account, sequence, envelope, valid_until, state)
    select given.hash, given.intent_id, given.step, given.request_hash, given.source_account, given.sequence, given.envelope,
      given.valid_until, 'OPEN'
    from given
    join held
      on held.id = given.intent_id
    where (select count(*) from ended) >= 0
    returning hash
  )
  select array(select hash from opened) as "openedHashes",
    array(select name from released where has_waiter) as "accountsWithWaiters"`,
};

export type TransactionsWritten = {
  readonly openedHashes: readonly string[];
  /** Released source accounts that another process waits for. */
  readonly accountsWithWaiters: readonly string[];
};

export type TransactionRows = {
  readonly ended: readonly Pick<TransactionRow, 'hash' | 'state'>[];
  readonly released: readonly AccountLease[];
  readonly opened: readonly OpenedRow[];
  /** See `WalletsModule.storesUnpublished`. */
  readonly storesUnpublished: boolean;
};

export function writeTransactionsValues({
  ended,
  released,
  opened: given,
  storesUnpublished,
}: TransactionRows): readonly unknown[] {
  return [...endedRows.valuesOf(ended), ...accounts.valuesOf(released), ...opened.valuesOf(given), storesUnpublished];
}

/** For transactions of the treasury, which belong to no intent. */
export const endTransactions = updateMany({
  table: 'ledger_transactions',
  columns: transactionColumns,
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

/** Landed and open transactions of an intent, oldest first. */
export const findLive = {
  name: 'find-live-ledger-transactions',
  text: `
  select ${selectList(transactionColumns, 'ledger_transactions')}
  from ledger_transactions
  where intent_id = $1
    and state in ('OPEN', 'LANDED')
  order by created_at`,
};
