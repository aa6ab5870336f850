import { fileURLToPath } from 'node:url';
import { toInstant } from '@holdfast/shared/context';
import { defaultMarketplaceId, type MessageId } from '@holdfast/shared/ids';
import { messagingMigrations } from '@holdfast/shared/outbox';
import { codeOf, type Database, type Tx } from '@holdfast/shared/postgres';
import { eventually } from '@holdfast/shared/testing/eventually';
import { testDatabase, type TestDatabase } from '@holdfast/shared/testing/postgres';
import { intentStore, type Intent, type IntentStore } from '../lanes/index.js';
import { escrowAdapter } from '../service.js';
import { transactionStore, type TransactionStore } from '../transactions/transaction-store.js';
import { writeRow } from './write-row.js';

let server: TestDatabase;
let database: Database;
let intents: IntentStore;
let transactions: TransactionStore;

beforeAll(async () => {
  server = await testDatabase();
  const migrations = [messagingMigrations, fileURLToPath(escrowAdapter.migrations)];
  database = await server.open({ service: 'escrow-adapter', migrations });
  intents = intentStore({ database, writeRow, owner: 'this process', leaseMs: 60_000 });
  transactions = transactionStore(database, writeRow);
}, 120_000);
beforeEach(() => server.asAdmin('truncate escrow_adapter.intents cascade'));
afterAll(() => server.drop());

async function leased(...names: readonly string[]): Promise<readonly Intent[]> {
  for (const name of names)
    await database.pool.query(
      `insert into intents (id, subject, kind, priority, marketplace_id, correlation_id, ask)
       values ($1, $1, 'fund', 1, $2, 'req_1', '{}')`,
      [`evt_${name}`, defaultMarketplaceId],
    );
  const claimed = await Promise.all(names.map((name) => intents.claimOne(`evt_${name}`)));
  return claimed.flatMap((intent) => intent ?? []);
}

const hashOf = (number: number): string => number.toString(16).padStart(64, '0');
const opened = (intent: Intent, number: number) => ({
  intent,
  hash: hashOf(number),
  requestHash: hashOf(0),
  step: 'fund',
  sourceAccount: 'GACCOUNT',
  sequence: BigInt(number),
  envelope: 'an envelope',
  validUntil: toInstant(0),
});
const commit = (write: (tx: Tx) => void): Promise<void> =>
  database.inTransaction((tx) => {
    write(tx);
    return Promise.resolve();
  });
const kept = async (): Promise<readonly unknown[]> =>
  (await database.pool.query('select hash, state from ledger_transactions order by hash')).rows;
const isClosed = async (id: MessageId): Promise<boolean> =>
  (await database.inTransaction((tx) => intents.ending(tx, id)))?.outcome !== undefined;

it('ends what its account did before it opens what the account does next, in whatever order it is told', async () => {
  const [one, other] = await leased('1', '2');
  if (one === undefined || other === undefined) throw new Error('both are leased');
  await commit((tx) => transactions.insertOpen(tx, opened(one, 1)));
  await commit((tx) => {
    transactions.insertOpen(tx, opened(other, 2));
    transactions.end(tx, hashOf(1), 'LANDED');
  });
  expect(await kept()).toEqual([
    { hash: hashOf(1), state: 'LANDED' },
    { hash: hashOf(2), state: 'OPEN' },
  ]);
});

it('writes nothing at all where one lease is lost', async () => {
  const [held, lost] = await leased('1', '2');
  if (held === undefined || lost === undefined) throw new Error('both are leased');
  await database.pool.query('update intents set lease_token = lease_token + 1 where id = $1', [lost.id]);
  const attempt = commit((tx) => {
    intents.close(tx, held, []);
    transactions.insertOpen(tx, opened(lost, 1));
  });
  expect(codeOf(await attempt.catch((error: unknown) => error))).toBe('HF001');
  expect(await kept()).toEqual([]);
  expect(await isClosed(held.id)).toBe(false);
});

it('locks intents in the order of their ids, whatever is written about them', async () => {
  const [first, second] = await leased('1', '2');
  if (first === undefined || second === undefined) throw new Error('both are leased');
  const rival = await database.pool.connect();
  try {
    await rival.query('begin');
    await rival.query('select from intents where id = $1 for update', [first.id]);
    const committing = commit((tx) => {
      transactions.insertOpen(tx, opened(second, 1));
      intents.close(tx, first, []);
    });
    await eventually(async () => {
      const waiting = await server.asAdmin(
        `select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`,
      );
      expect(waiting).toHaveLength(1);
    });
    // It waits for the first and has not got hold of the second.
    await rival.query('select from intents where id = $1 for update nowait', [second.id]);
    await rival.query('commit');
    await committing;
    expect(await isClosed(first.id)).toBe(true);
  } finally {
    rival.release();
  }
});
