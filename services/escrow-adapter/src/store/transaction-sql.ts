import { columnsOf, propertiesBut, unnestRows } from '@holdfast/postgres';
import { transactions, type TransactionRow } from './schema.js';

/** An envelope that is stored before it is submitted, with the token of its intent's lease. */
export type OpenedRow = Omit<TransactionRow, 'state' | 'ledger'> & { readonly leaseToken: number };
/** The lease of a source account. */
export type AccountLease = { readonly name: string; readonly token: string };

const { state: _state, ledger: _ledger, ...newColumns } = transactions.columns;
const openedColumns = columnsOf<OpenedRow>()({ ...newColumns, leaseToken: { column: 'lease_token', type: 'integer' } });
const accountLeaseColumns = columnsOf<AccountLease>()({
  name: { column: 'name', type: 'text' },
  token: { column: 'token', type: 'text' },
});

const endedRows = unnestRows(transactions.columns, ['hash', 'state', 'ledger'], { name: 'ended_rows' });
const accounts = unnestRows(accountLeaseColumns, ['name', 'token'], {
  name: 'account',
  parametersBefore: endedRows.lastParameter,
});
/** The columns of `given` that are stored. */
const stored = unnestRows(transactions.columns, propertiesBut(transactions.columns, ['state', 'ledger']));
const opened = unnestRows(openedColumns, undefined, { name: 'envelopes', parametersBefore: accounts.lastParameter });

/**
 * Records ended transactions, releases the leases of their source accounts, and stores new envelopes. It leaves out envelopes of intents
 * whose lease was lost, and of accounts with another open transaction. The state of an ended transaction never changes again. Contracts get
 * the ledger of their last transaction.
 *
 * The count conditions order the CTEs: intents are locked first, then ended transactions are updated, then new ones are inserted. A source
 * account has one open transaction at a time.
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
    set state = ended_rows.state,
      ledger = ended_rows.ledger
    from ${endedRows.from}
    where ledger_transactions.hash = ended_rows.hash
      and ledger_transactions.state = 'OPEN'
      and (select count(*) from held) >= 0
    returning ledger_transactions.hash,
      ledger_transactions.intent_id,
      ledger_transactions.ledger
  ),
  locked as (
    select contracts.escrow_id,
      latest.ledger
    from (
      select intents.subject,
        max(ended.ledger) as ledger
      from ended
      join intents
        on intents.id = ended.intent_id
      where ended.ledger is not null
      group by intents.subject
    ) as latest
    join contracts
      on contracts.escrow_id = latest.subject
    order by contracts.escrow_id
    for update of contracts
  ),
  changed as (
    update contracts
    set last_ledger = greatest(contracts.last_ledger, locked.ledger)
    from locked
    where contracts.escrow_id = locked.escrow_id
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
    insert into ledger_transactions (${stored.columns}, state)
    select ${stored.values}, 'OPEN'
    from given
    join held
      on held.id = given.intent_id
    where (select count(*) from ended) >= 0
    on conflict (source_account) where state = 'OPEN' do nothing
    returning hash
  )
  select array(select id from held) as "heldIntents",
    array(select hash from opened) as "openedHashes",
    array(select name from released where has_waiter) as "accountsWithWaiters"`,
};

export type TransactionsWritten = {
  /** Intents whose envelopes were given and whose lease is held. */
  readonly heldIntents: readonly string[];
  readonly openedHashes: readonly string[];
  /** Released source accounts that another process waits for. */
  readonly accountsWithWaiters: readonly string[];
};

export type TransactionRows = {
  readonly ended: readonly Pick<TransactionRow, 'hash' | 'state' | 'ledger'>[];
  readonly released: readonly AccountLease[];
  readonly opened: readonly OpenedRow[];
};

export function writeTransactionsValues({ ended, released, opened: given }: TransactionRows): readonly unknown[] {
  return [...endedRows.valuesOf(ended), ...accounts.valuesOf(released), ...opened.valuesOf(given)];
}

/** For the lease of a source account: whether a transaction of it that does not belong to the intent $4 may still land. */
export const isUsedByOthers = `exists (
      select
      from ledger_transactions
      where ledger_transactions.source_account = leases.name
        and ledger_transactions.state = 'OPEN'
        and ledger_transactions.intent_id is distinct from $4
    )`;

/** Open transactions of an intent and those that have landed, oldest first. */
export const findLive = {
  name: 'find-live-ledger-transactions',
  text: `
  select ${transactions.selected}
  from ledger_transactions
  where intent_id = $1
    and state in ('OPEN', 'LANDED', 'MISMATCHED')
  order by created_at`,
};
