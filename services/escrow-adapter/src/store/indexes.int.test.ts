import { toInstant } from '@holdfast/kernel/context';
import type { IntentSubject } from '@holdfast/intents';
import type { BoundStatement, Database, Statement } from '@holdfast/postgres';
import { migrationFoldersOf } from '@holdfast/service-kit';
import { sequentialScans, type TestDatabase } from '@holdfast/testing/postgres';
import { serviceDatabase } from '@holdfast/testing/services';
import { escrowAdapter } from '../service.js';
import {
  endAndOpenTransaction,
  endAndOpenValues,
  endTransaction,
  endValues,
  findLive,
  openTransaction,
  openValues,
  type Ending,
  type OpenedRow,
} from './transaction-sql.js';
import { contractSubjects } from './intent-subjects.js';
import { findIntentsOfRuns, findTransactionsOfRuns } from './network-reader.js';
import { findOwnTransaction, selectEventSubject } from './event-subject.js';
import * as sql from './contract-sql.js';

let server: TestDatabase;
let database: Database;

const rowsCount = 20_000;

/** Nearly all rows are closed, as in production. */
const fill = [
  `insert into escrow_adapter.contracts (
     escrow_id, order_id, marketplace_id, contract_type, amount_units, currency, buyer_id, seller_id, title, description,
     platform_fee_basis_points, milestones, status, contract_id, created_at
   )
   select 'esc_' || n, 'ord_' || n, 'mkt_1', 'single-release', 1, 'USDC', 'usr_1', 'usr_2', '', '', 500, '[]',
     case when n % 1000 = 0 then 'FUNDED' else 'SETTLED' end, 'C' || n, now()
   from generate_series(1, ${rowsCount}) as n`,
  `insert into escrow_adapter.intents (
     id, kind, subject, priority, marketplace_id, correlation_id, saga_run_id, payload, closed_at, replies
   )
   select 'evt_' || n, 'fund', 'esc_' || n, 1, 'mkt_1', 'req_1', 'run_' || n, '{}',
     case when n % 1000 <> 0 then now() end, case when n % 1000 <> 0 then '[]'::jsonb end
   from generate_series(1, ${rowsCount}) as n`,
  `insert into escrow_adapter.ledger_transactions (
     hash, intent_id, step, request_hash, source_account, sequence, envelope, valid_until, first_ledger, state
   )
   select lpad(to_hex(n), 64, '0'), 'evt_' || n, 'fund', lpad('', 64, '0'), 'G' || n, n, '', now(), 1,
     case when n % 1000 = 0 then 'OPEN' else 'LANDED' end
   from generate_series(1, ${rowsCount}) as n`,
  `insert into escrow_adapter.leases (name, token, until)
   select 'G' || n, '', '-infinity'
   from generate_series(1, ${rowsCount}) as n`,
];

beforeAll(async () => {
  server = await serviceDatabase(escrowAdapter);
  const migrations = migrationFoldersOf(escrowAdapter);
  database = await server.open({ service: 'escrow-adapter', migrations });
  for (const statement of fill) await server.asAdmin(statement);
  await server.asAdmin('analyze');
});
afterAll(() => server.drop());

const opened: OpenedRow = {
  hash: '0'.repeat(64),
  intentId: 'evt_1000',
  step: 'fund',
  requestHash: '0'.repeat(64),
  sourceAccount: 'G',
  sequence: 1n,
  envelope: '',
  validUntil: toInstant(0),
  firstLedger: 6,
  transfers: [],
  leaseToken: 0,
};
const ending: Ending = {
  ended: { hash: '0'.repeat(64), state: 'LANDED', ledger: 7 },
  account: { name: 'G', token: '' },
};

/** The statement that stores an intent on this subject; no other value decides about its plan. */
async function insertionOn(subject: IntentSubject<unknown>): Promise<BoundStatement> {
  const run: BoundStatement[] = [];
  await subject.insertIntent((statement) => Promise.resolve(void run.push(statement)).then(() => []), []);
  const [statement] = run;
  if (statement === undefined) throw new Error('no statement was run');
  const parameters = Math.max(...[...statement.text.matchAll(/\$(\d+)/g)].map(([, number]) => Number(number)));
  return { ...statement, values: Array.from({ length: parameters }, (_, at) => statement.values[at] ?? null) };
}

describe('without a sequential scan of full tables the server finds', () => {
  it.each<readonly [string, Statement, readonly unknown[]]>([
    ['contracts to be checked', sql.claimUnchecked, ['2026-01-01T00:00:00Z', 20]],
    ['the transactions of an intent', findLive, ['evt_1']],
    ['an ended transaction', endTransaction, endValues(ending)],
    ['a new transaction', openTransaction, openValues(opened)],
    ['an ended and a new transaction', endAndOpenTransaction, endAndOpenValues(ending, opened)],
    ['the intents of runs', findIntentsOfRuns, [['run_1', 'run_2'], 'mkt_1']],
    ['the transactions of runs', findTransactionsOfRuns, [['run_1', 'run_2'], 'mkt_1', 501]],
    ['our own transaction that an event names', findOwnTransaction, ['0'.repeat(64)]],
    ['what an event is about', selectEventSubject, ['C1', 'ord_1', '0'.repeat(64)]],
  ])('%s', async (_, statement, values) => {
    expect(await sequentialScans(database, statement, values)).toEqual([]);
  });

  const subjects = contractSubjects({ lock: () => Promise.reject(new Error('nothing is locked here')) });
  it.each([
    ['the contract of an order', subjects.ofOrder('ord_1')],
    ['a whole contract', subjects.whole('esc_1')],
    ['milestones that no open intent acts on', subjects.milestones('esc_1', 'draft')],
  ])('%s for a new intent', async (_, subject) => {
    const { values, ...statement } = await insertionOn(subject);
    expect(await sequentialScans(database, statement, values)).toEqual([]);
  });
});
