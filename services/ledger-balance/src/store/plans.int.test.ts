import type { Database, Statement } from '@holdfast/postgres';
import type { TestDatabase } from '@holdfast/testing/postgres';
import { serviceDatabase } from '@holdfast/testing/services';
import { serverStartTimeoutMs } from '@holdfast/testing/servers';
import { sharedOwners } from '../domain/accounts.js';
import { ledgerBalance } from '../service.js';
import { ledgerTables } from '../testing/running-ledger.js';
import { readHistory } from './history-store.js';
import { journalReader } from './journal-reader.js';
import { createAccounts } from './sql/create-accounts.js';
import { countAccountTransactions, findAccountTransactions } from './sql/find-account-transactions.js';
import { findAccounts } from './sql/find-accounts.js';
import { readReservations } from './reservation-store.js';
import { findAllBalances } from './sql/find-all-balances.js';
import { findBalance } from './sql/find-balance.js';
import { findBalanceAt } from './sql/find-balance-at.js';
import { findLegs } from './sql/find-legs.js';
import { findReservedCurrencies } from './sql/find-reserved-currencies.js';
import { findStatementCursor, findStatementLines } from './sql/find-statement-lines.js';
import { findTransfersByCause, findTransfersByReference } from './sql/find-transfers.js';
import { listCustodyBalances } from './sql/list-custody-balances.js';
import { loadManualReservations, loadReservations } from './sql/load-reservations.js';
import { lockAccounts } from './sql/lock-accounts.js';
import { readMessages } from './sql/read-messages.js';
import { sumPeriod } from './sql/sum-period.js';
import { sumSharedAccounts } from './sql/sum-shared-accounts.js';

let server: TestDatabase;
let database: Database;
/** Generic plans of statements while the tables are empty, by name: Postgres keeps such a plan until the tables are analyzed. */
let plansWhenEmpty: ReadonlyMap<string, string>;

/**
 * Five thousand users with an account, four transfers and a reservation each; every tenth reservation is active. The first user
 * has a hundred thousand transfers more.
 */
const fillTables = [
  `insert into users (id, marketplace_id, type, status, version, received_at)
  select 'usr_' || n, 'mkt_default', 'BOTH', 'ACTIVE', 1, now() from generate_series(1, 5000) as n`,
  `insert into accounts (kind, owner, currency, updated_at)
  select 'user', 'usr_' || n, 'USD', now() from generate_series(1, 5000) as n`,
  `insert into transfers (id, cause, type, marketplace_id, account_id, available_change_units, reserved_change_units,
    available_units, reserved_units, account_version, order_id, reference_key, created_at)
  select 'tr_' || n, 'cause_' || n, 'CREDIT', 'mkt_default', 1 + n % 5000, 1, 0, 1, 0, n / 5000, 'ord_' || n % 5000, 'usr_' || n || '/ref', now()
  from generate_series(1, 20000) as n`,
  `insert into transfers (id, cause, type, marketplace_id, account_id, available_change_units, reserved_change_units,
    available_units, reserved_units, account_version, created_at)
  select 'tr_' || n, 'cause_' || n, 'CREDIT', 'mkt_default', 1, 1, -(n % 2), n, 0, n, now() + n * interval '1 millisecond'
  from generate_series(20001, 120000) as n`,
  `insert into accounts (kind, owner, currency, updated_at)
  select kind, owner, 'USD', now() from unnest(array['external', 'platform'], array['payins', 'fees']) as given (kind, owner)`,
  `insert into accounts (kind, owner, currency, updated_at)
  select 'chain', 'wallet:usr_' || n, 'chain:USDC', now() from generate_series(1, 5000) as n`,
  `insert into legs (transfer_id, account_id, part, units, balance_units)
  select 'tr_' || n, case when n % 4 = 0 then 5001 else 1 + n % 5000 end, 'available', 1, case when n % 4 = 0 then null else 1 end
  from generate_series(1, 20000) as n`,
  `insert into custody_balances (account_id, units)
  select id, 1 from accounts where kind = 'chain'`,
  `insert into recent_custody_legs (ledger, account_id, units)
  select n, id, 1 from accounts, generate_series(1, 3) as n where kind = 'chain'`,
  `insert into inbox (consumer, message_id)
  select 'ledger-balance', 'cause_' || n from generate_series(1, 5000) as n`,
  `insert into aborted_runs (saga_run_id, replies)
  select 'run_' || n, '[]' from generate_series(1, 1000) as n`,
  `insert into reservations (id, account_id, kind, subject_id, active_units, created_at, updated_at)
  select 'res_' || n, n, case when n % 2 = 0 then 'order' else 'manual' end, case when n % 2 = 0 then 'ord_' || n end,
    case when n % 10 < 2 then 1 else 0 end, now(), now()
  from generate_series(1, 5000) as n`,
];

beforeAll(async () => {
  server = await serviceDatabase(ledgerBalance);
  database = await server.open(ledgerTables);
  plansWhenEmpty = new Map(await Promise.all([readMessages, createAccounts].map(textPlanOf)));
  for (const sql of fillTables) await database.pool.query(sql);
  const tables = [
    'users',
    'accounts',
    'transfers',
    'legs',
    'custody_balances',
    'recent_custody_legs',
    'reservations',
    'inbox',
    'aborted_runs',
  ];
  for (const table of tables) await server.asAdmin(`analyze ledger_balance.${table}`);
}, serverStartTimeoutMs);

afterAll(() => server.drop());

type PlanNode = { readonly 'Node Type': string; readonly 'Index Name'?: string; readonly Plans?: readonly PlanNode[] };
type PlanRow = { readonly 'QUERY PLAN': readonly [{ readonly Plan: PlanNode }] };

/** For each node of the plan the index it uses, else its type. Without values it is the generic plan. */
async function planOf(text: string, values?: readonly unknown[]): Promise<readonly string[]> {
  const options = values === undefined ? 'format json, generic_plan' : 'format json';
  const { rows } = await database.pool.query<PlanRow>(`explain (${options}) ${text}`, values);
  return rows.flatMap((row) => namesOf(row['QUERY PLAN'][0].Plan));
}

async function textPlanOf({ name, text }: Statement): Promise<readonly [string, string]> {
  const { rows } = await database.pool.query<{ readonly 'QUERY PLAN': string }>(`explain (generic_plan, verbose) ${text}`);
  return [name, rows.map((row) => row['QUERY PLAN']).join('\n')];
}

function namesOf(node: PlanNode): readonly string[] {
  return [node['Index Name'] ?? node['Node Type'], ...(node.Plans ?? []).flatMap(namesOf)];
}

const at = '2026-01-31T12:00:00.000000Z';

const longHistory = [
  [1n, 8n],
  [120_000, 3],
  ['USD', 'XLM'],
];

type Lookup = { readonly statement: Statement; readonly values: readonly unknown[]; readonly index: string };

/** The index is a pattern, because the planner may choose between two indexes of equal cost. */
const lookups: readonly Lookup[] = [
  { statement: lockAccounts, values: [[7n, 8n, 9n]], index: 'accounts_pkey' },
  { statement: readMessages, values: ['ledger-balance', ['cause_7'], ['run_7']], index: 'transfers_cause_key' },
  { statement: readMessages, values: ['ledger-balance', ['cause_7'], ['run_7']], index: 'inbox_pkey' },
  { statement: findAccounts, values: [['user'], ['usr_7'], ['USD']], index: 'accounts_owner_currency_kind_key' },
  { statement: findBalance, values: ['mkt_default', 'usr_7', 'USD'], index: 'accounts_owner_currency_kind_key' },
  { statement: findBalanceAt, values: ['mkt_default', 'usr_7', 'USD', at], index: 'transfers_of_account' },
  { statement: findAllBalances, values: ['mkt_default', 'usr_7'], index: 'accounts_owner_currency_kind_key' },
  { statement: findTransfersByCause, values: [['cause_7', 'cause_8']], index: 'transfers_cause_key' },
  { statement: findTransfersByReference, values: [['usr_7/ref']], index: 'transfers_reference_key' },
  { statement: loadReservations, values: [[10n], ['ord_10']], index: 'reservations_(subject|active)' },
  { statement: loadManualReservations, values: [[11n]], index: 'reservations_active' },
  { statement: sumSharedAccounts, values: [sharedOwners], index: 'legs_without_balance' },
  { statement: listCustodyBalances, values: [6000n, ['world'], 11, 7], index: 'custody_balances_pkey' },
  { statement: findAccountTransactions, values: [...longHistory, 20, 0], index: 'transfers_of_account' },
  { statement: findAccountTransactions, values: [...longHistory, 100, 50_000], index: 'transfers_of_account' },
  { statement: countAccountTransactions, values: longHistory, index: 'transfers_of_account' },
  {
    statement: sumPeriod,
    values: ['mkt_default', 'usr_7', 'USD', '2026-01-01T00:00:00.000000Z', at],
    index: 'transfers_of_account',
  },
  { statement: findStatementLines, values: [1n, '2026-01-01T00:00:00.000000Z', 7, at, 100, 100], index: 'transfers_of_account' },
  {
    statement: findStatementCursor,
    values: ['tr_7', 8n, '2026-01-01T00:00:00.000000Z', at],
    index: 'transfers_(pkey|of_account)',
  },
  { statement: findLegs, values: [['tr_7', 'tr_8']], index: 'legs_transfer' },
  { statement: findReservedCurrencies, values: ['usr_10', 'ord_10'], index: 'reservations_subject' },
];

describe('lookups on tables without statistics', () => {
  it.each([readMessages.name, createAccounts.name])('%s reads no table into a hash', (name) => {
    const plan = plansWhenEmpty.get(name);
    expect(plan).toContain('SubPlan');
    expect(plan).not.toContain('hashed');
  });
});

describe('lookups on tables with some thousand rows', () => {
  it.each(lookups)('$statement.name uses $index in its custom and generic plan', async ({ statement, values, index }) => {
    for (const plan of [await planOf(statement.text, values), await planOf(statement.text)]) {
      expect(plan).toContainEqual(expect.stringMatching(`^${index}$`));
      expect(plan).not.toContain('Seq Scan');
    }
  });

  it.each([
    ['without filters', {}],
    ['after a cursor', { cursor: 'tr_10006' }],
    ['within a time range', { createdAfter: at, createdBefore: at }],
  ] as const)('a page of the history uses its index %s', async (_, filter) => {
    const plan = await planOfPage((tables) => readHistory(tables, 'usr_7', { limit: 2, currency: 'USD', ...filter }));
    expect(plan).toContain('transfers_of_account');
    expect(plan).not.toContain('Seq Scan');
  });

  it('a page of the transfers of an order uses their index', async () => {
    const filter = { limit: 2, cursor: 'tr_10006' };
    const plan = await planOfPage((tables) => journalReader(tables).transfersOfOrder('mkt_default', 'ord_6', filter));
    expect(plan).toContain('transfers_of_order');
    expect(plan).not.toContain('Seq Scan');
  });

  it.each([
    ['without filters', {}],
    ['after a cursor', { cursor: 'res_10' }],
    ['within a time range', { createdAfter: at, createdBefore: at }],
  ] as const)('a page of the reservations uses the index of active ones %s', async (_, filter) => {
    const plan = await planOfPage((tables) => readReservations(tables, 'usr_10', { limit: 2, ...filter }));
    expect(plan).toContain('reservations_active');
    expect(plan).not.toContain('Seq Scan');
  });
});

/** The plan of the last statement of a list; those with a name are above. */
async function planOfPage(read: (tables: Pick<Database, 'lists'>) => Promise<unknown>): Promise<readonly string[]> {
  const statements: (readonly [string, readonly unknown[]])[] = [];
  const query = (text: string | Statement, values: readonly unknown[]) => {
    if (typeof text === 'string') statements.push([text, values]);
    return database.lists.query(text, values);
  };
  await read({ lists: { ...database.lists, query } as Database['lists'] });
  const [text = '', values] = statements.at(-1) ?? [];
  return planOf(text, values);
}
