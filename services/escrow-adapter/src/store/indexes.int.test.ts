import { fileURLToPath } from 'node:url';
import { toInstant } from '@holdfast/kernel/context';
import { intentsMigrations } from '@holdfast/intents';
import { messagingMigrations } from '@holdfast/messaging/outbox';
import type { Database, Statement } from '@holdfast/postgres';
import { sequentialScans, type TestDatabase } from '@holdfast/testing/postgres';
import { serviceDatabase } from '@holdfast/testing/services';
import { escrowAdapter } from '../service.js';
import { findLive, writeTransactions, writeTransactionsValues, type OpenedRow, type TransactionRows } from './transaction-sql.js';
import * as eventSql from './event-sql.js';
import type { EventRow } from './schema.js';
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
  `insert into escrow_adapter.aborted_runs (saga_run_id, replies)
   select 'run_' || n, '[]'
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
  `insert into escrow_adapter.provider_events (
     event_id, id, type, contract_id, order_id, is_signed, received_at, processed_at, attempts, due_at
   )
   select 'event ' || n, 'whe_' || n, case when n % 3 = 0 then 'escrow.created' else 'escrow.funded' end, 'C' || n, 'ord_' || n,
     true, now(),
     case when n % 1000 <> 0 then now() end, 1, now()
   from generate_series(1, ${rowsCount}) as n`,
  `insert into escrow_adapter.leases (name, token, until)
   select 'G' || n, '', '-infinity'
   from generate_series(1, ${rowsCount}) as n`,
];

beforeAll(async () => {
  server = await serviceDatabase(escrowAdapter);
  const migrations = [messagingMigrations, intentsMigrations, fileURLToPath(escrowAdapter.migrations)];
  database = await server.open({ service: 'escrow-adapter', migrations });
  for (const statement of fill) await server.asAdmin(statement);
  await server.asAdmin('analyze');
});
afterAll(() => server.drop());

const event: EventRow = {
  eventId: 'event 0',
  id: 'whe_0',
  type: 'escrow.funded',
  contractId: 'C1',
  orderId: 'ord_1',
  transactionHash: '0'.repeat(64),
  milestoneRef: null,
  isSigned: true,
  receivedAt: toInstant(0),
  processedAt: null,
  attempts: 0,
  dueAt: toInstant(0),
  result: null,
};
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
const written: TransactionRows = {
  ended: [{ hash: '0'.repeat(64), state: 'LANDED', ledger: 7 }],
  released: [{ name: 'G', token: '' }],
  opened: [opened],
};

describe('without a sequential scan of full tables the server finds', () => {
  it.each<readonly [string, Statement, readonly unknown[]]>([
    ['contracts to be checked', sql.claimUnchecked, ['2026-01-01T00:00:00Z', 20]],
    ['the transactions of an intent', findLive, ['evt_1']],
    ['ended and new transactions', writeTransactions, writeTransactionsValues(written)],
    ['the contracts of new events', eventSql.insertEvents, eventSql.newEvents.valuesOf([event])],
    ['the contracts of stored events', eventSql.classifyEvents, [['event 1', 'event 2']]],
    ['due events', eventSql.claimDueEvents, [50, 60]],
  ])('%s', async (_, statement, values) => {
    expect(await sequentialScans(database, statement, values)).toEqual([]);
  });
});
