import type { Envelope } from '@holdfast/contracts/messages';
import { intentStore, LeaseLost, type IntentLease } from '@holdfast/intents';
import { defaultMarketplaceId, type MessageId } from '@holdfast/kernel/ids';
import { money } from '@holdfast/kernel/money';
import { insertMany, type Database } from '@holdfast/postgres';
import { migrationFoldersOf } from '@holdfast/service-kit';
import { eventually } from '@holdfast/testing/eventually';
import type { TestDatabase } from '@holdfast/testing/postgres';
import { serviceDatabase } from '@holdfast/testing/services';
import type { Contract } from '../domain/contract.js';
import { escrowAdapter } from '../service.js';
import type { ContractIntents } from '../use-cases/ports.js';
import { contractIntents } from './contract-intents.js';
import { contractStore, toRow } from './contract-store.js';
import { contracts } from './schema.js';

let server: TestDatabase;
let database: Database;
let intents: ContractIntents;

const contract: Contract = {
  escrowId: 'esc_1',
  orderId: 'ord_1',
  marketplaceId: defaultMarketplaceId,
  type: 'single-release',
  releaseMode: 'order',
  amount: money(10_000_000n, 'USDC'),
  buyerId: 'usr_buyer',
  sellerId: 'usr_seller',
  title: 'A bicycle',
  description: 'A bicycle',
  platformFeeBasisPoints: 0,
  milestones: [],
  status: 'REQUESTED',
  isDisputeKnown: false,
  disputesKnown: [],
  lastLedger: 0,
  milestonesKnown: [],
  milestonesSettled: [],
  version: 0,
  createdAt: '2026-01-31T12:00:00.000000Z',
};
const id: MessageId = 'evt_1';
const [current, older] = [2, 1].map((leaseToken): IntentLease => ({ id, leaseToken })) as [IntentLease, IntentLease];
const failed = { ...contract, status: 'FAILED', version: 1 } as const;
const closed = { replies: [] as readonly Envelope[], at: contract.createdAt };

const insertContracts = insertMany({ ...contracts, name: 'insert-contracts' });

beforeAll(async () => {
  server = await serviceDatabase(escrowAdapter);
  const { entities } = escrowAdapter;
  database = await server.open({ service: 'escrow-adapter', migrations: migrationFoldersOf(escrowAdapter), entities });
  const store = intentStore({ database, owner: 'this process', leaseMs: 60_000 });
  intents = contractIntents(store, { wake: () => undefined });
});
beforeEach(async () => {
  await server.asAdmin('truncate escrow_adapter.intents, escrow_adapter.contracts cascade');
  await database.pool.query(insertContracts([toRow(contract)]));
  await database.pool.query(
    `insert into intents (id, subject, kind, priority, marketplace_id, correlation_id, payload, lease_token)
     values ($1, $2, 'deploy', 1, $3, 'req_1', '{}', $4)`,
    [id, contract.escrowId, defaultMarketplaceId, current.leaseToken],
  );
});
afterAll(() => server.drop());

const rows = () =>
  server.asAdmin(
    `select status, version, closed_at is not null as "isClosed"
     from escrow_adapter.contracts join escrow_adapter.intents on subject = escrow_id`,
  );

describe('an intent and its contract', () => {
  it('are locked together: the contract is returned as it is once the lock is there', async () => {
    let commit = (): void => undefined;
    const mayCommit = new Promise<void>((resolve) => (commit = resolve));
    let changing = Promise.resolve();
    await new Promise<void>((hasChanged) => {
      changing = database.inTransaction(async (tx) => {
        contractStore(database).change(tx, await contractStore(database).lock(tx, 'esc_1'), { isDisputeKnown: true });
        hasChanged();
        await mayCommit;
      });
    });
    const locked = database.inTransaction((tx) => intents.lockWithContract(tx, current));
    await eventually(async () => {
      const waiting = await server.asAdmin(
        `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
      );
      expect(waiting).toHaveLength(1);
    });
    commit();
    await changing;
    expect(await locked).toMatchObject({ amount: contract.amount, isDisputeKnown: true, version: 1 });
  });

  it('are written together', async () => {
    await database.inTransaction((tx) => intents.closeWithContract(tx, current, closed, [contract, failed]));
    expect(await rows()).toEqual([{ status: 'FAILED', version: 1, isClosed: true }]);
  });

  it.each([
    ['its version', { version: 1 }, `version = 1`],
    ['its contract id', { contractId: 'C1' }, `contract_id = 'C1'`],
  ])(
    'are written together only if the contract is as it was: not if another transaction has changed %s',
    async (_, now, change) => {
      await database.pool.query(`update contracts set ${change}`);
      let attempts = 0;
      await database.inTransaction((tx) => {
        attempts += 1;
        const before = attempts === 1 ? contract : { ...contract, ...now };
        return intents.closeWithContract(tx, current, closed, [before, { ...before, status: 'FAILED', version: 7 }]);
      });
      expect(attempts).toBe(2);
      expect(await rows()).toEqual([{ status: 'FAILED', version: 7, isClosed: true }]);
    },
  );

  it('are neither locked nor written with a lease that was lost, or once the intent is closed', async () => {
    const locking = (lease: IntentLease) => database.inTransaction((tx) => intents.lockWithContract(tx, lease));
    const closing = (lease: IntentLease) =>
      database.inTransaction((tx) => intents.closeWithContract(tx, lease, closed, [contract, { ...failed, version: 7 }]));
    await expect(locking(older)).rejects.toBeInstanceOf(LeaseLost);
    await expect(closing(older)).rejects.toBeInstanceOf(LeaseLost);
    expect(await rows()).toEqual([{ status: 'REQUESTED', version: 0, isClosed: false }]);
    await database.inTransaction((tx) => intents.closeWithContract(tx, current, closed, [contract, failed]));
    await expect(locking(current)).rejects.toBeInstanceOf(LeaseLost);
    await expect(closing(current)).rejects.toBeInstanceOf(LeaseLost);
    expect(await rows()).toEqual([{ status: 'FAILED', version: 1, isClosed: true }]);
  });
});
