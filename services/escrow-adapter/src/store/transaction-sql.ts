import { columnsOf, propertiesBut, singleRow, type Statement } from '@holdfast/postgres';
import { transactions, type TransactionRow } from './schema.js';

/** An envelope that is stored before it is submitted, with the token of its intent's lease. */
export type OpenedRow = Omit<TransactionRow, 'state' | 'ledger'> & { readonly leaseToken: number };
/** The lease of a source account. */
export type AccountLease = { readonly name: string; readonly token: string };
/** A transaction that has ended, a source account that is released, or both. */
export type Ending = {
  readonly ended?: Pick<TransactionRow, 'hash' | 'state' | 'ledger'> | undefined;
  readonly account?: AccountLease | undefined;
};

const { state: _state, ledger: _ledger, ...newColumns } = transactions.columns;
const openedColumns = columnsOf<OpenedRow>()({ ...newColumns, leaseToken: { column: 'lease_token', type: 'integer' } });
const accountLeaseColumns = columnsOf<AccountLease>()({
  name: { column: 'name', type: 'text' },
  token: { column: 'token', type: 'text' },
});

const given = singleRow(openedColumns);
/** The columns of `given` that are stored. */
const stored = singleRow(transactions.columns, propertiesBut(transactions.columns, ['state', 'ledger']));

const held = `
  held as (
    select intents.id
    from intents
    join ${given.from}
      on given.intent_id = intents.id
        and given.lease_token = intents.lease_token
    where intents.closed_at is null
    for update of intents
  )`;

/** A source account has one open transaction at a time. */
const opened = (condition: string): string => `
  opened as (
    insert into ledger_transactions (${stored.columns}, state)
    select ${stored.values}, 'OPEN'
    from ${given.from}
    join held
      on held.id = given.intent_id
    where ${condition}
    on conflict (source_account) where state = 'OPEN' do nothing
    returning hash
  )`;

const openedResult = `exists (select from held) as "isHeld",
    exists (select from opened) as "isOpened"`;

type EndingSql = {
  /** The state of an ended transaction never changes again. */
  readonly written: (condition: string) => string;
  readonly valuesOf: (ending: Ending) => readonly unknown[];
};

function endingAfter(parametersBefore: number): EndingSql {
  const row = singleRow(transactions.columns, ['hash', 'state', 'ledger'], { name: 'ended_row', parametersBefore });
  const account = singleRow(accountLeaseColumns, undefined, { name: 'account', parametersBefore: row.lastParameter });
  return {
    written: (condition) => `
  ended as (
    update ledger_transactions
    set state = ended_row.state,
      ledger = ended_row.ledger
    from ${row.from}
    where ledger_transactions.hash = ended_row.hash
      and ledger_transactions.state = 'OPEN'
      and ${condition}
    returning ledger_transactions.hash
  ),
  released as (
    update leases
    set until = '-infinity'
    from ${account.from}
    where leases.name = account.name
      and leases.token = account.token
  )`,
    valuesOf: (ending) => [...row.valuesOf(ending.ended), ...account.valuesOf(ending.account)],
  };
}

const ending = endingAfter(0);
const endingBefore = endingAfter(given.lastParameter);

/** Records an ended transaction and releases the lease of its source account. */
export const endTransaction: Statement = {
  name: 'end-ledger-transaction',
  text: `
  with ${ending.written('true')}
  select`,
};

/** Records an ended transaction whose intent is closed by the same commit, which ends the leases of its accounts. */
export const endLastTransaction: Statement = {
  name: 'end-last-ledger-transaction',
  text: `
  update ledger_transactions
  set state = $2,
    ledger = $3
  where hash = $1
    and state = 'OPEN'`,
};

/** Stores a new envelope, unless the lease of its intent was lost or its account has another open transaction. */
export const openTransaction: Statement = {
  name: 'open-ledger-transaction',
  text: `
  with ${held},
  ${opened('true')}
  select ${openedResult}`,
};

/**
 * Both in one statement: the step of an intent has ended, and its next one begins. The transaction ends even if the lease was lost.
 *
 * The count conditions order the CTEs: the intent is locked first, then the ended transaction is updated, then the new one is inserted.
 */
export const endAndOpenTransaction: Statement = {
  name: 'end-and-open-ledger-transaction',
  text: `
  with ${held},
  ${endingBefore.written('(select count(*) from held) >= 0')},
  ${opened('(select count(*) from ended) >= 0')}
  select ${openedResult}`,
};

export type OpenResult = {
  /** Whether the lease of the intent is held. */
  readonly isHeld: boolean;
  readonly isOpened: boolean;
};

export const endValues = ending.valuesOf;

export function endLastValues({ hash, state, ledger }: NonNullable<Ending['ended']>): readonly unknown[] {
  return [hash, state, ledger];
}

export function openValues(row: OpenedRow): readonly unknown[] {
  return given.valuesOf(row);
}

export function endAndOpenValues(end: Ending, row: OpenedRow): readonly unknown[] {
  return [...given.valuesOf(row), ...endingBefore.valuesOf(end)];
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
