import type { Database } from '@holdfast/postgres';
import { migrationFoldersOf } from '@holdfast/service-kit';
import { eventually } from '@holdfast/testing/eventually';
import { escrowAdapter } from './service.js';
import { aCreatedContract, aFundedContract, requestFunding, requestSettlement, settlementReplies } from './testing/orders.js';
import { startAdapter, type RunningAdapter } from './testing/running-adapter.js';
import { contractsOf } from './testing/sandbox-state.js';

describe('the intent of a message', () => {
  let adapter: RunningAdapter;
  let tables: Database;
  const called: string[] = [];

  beforeAll(async () => {
    adapter = await startAdapter({
      wrapProvider: (provider) => ({
        ...provider,
        buildStep: (...args) => (called.push('build'), provider.buildStep(...args)),
      }),
      wrapRpc: (rpc) => ({
        ...rpc,
        contractEntries: (...args) => (called.push('read'), rpc.contractEntries(...args)),
        submit: (...args) => (called.push('submit'), rpc.submit(...args)),
      }),
    });
    tables = await adapter.database.open({
      service: 'escrow-adapter',
      migrations: migrationFoldersOf(escrowAdapter),
    });
  });
  afterAll(() => adapter.stop());

  /** Blocks the storing of intents until the returned function is called. */
  async function holdUpStoring(): Promise<() => Promise<void>> {
    called.length = 0;
    let letGo = (): void => undefined;
    const isLetGo = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    let lock: Promise<void> | undefined;
    await new Promise<void>((isLocked) => {
      lock = tables.inTransaction(async (tx) => {
        await tx.query('lock table intents in exclusive mode');
        isLocked();
        await isLetGo;
      });
    });
    return async () => {
      letGo();
      await lock;
    };
  }

  /** The handler of the message waits for the table. */
  const untilItWaits = (): Promise<void> =>
    eventually(async () => {
      const waiting = await adapter.database.asAdmin(
        `select from pg_stat_activity
         where datname = current_database() and wait_event_type = 'Lock' and query like '%"intentSubject"%'`,
      );
      expect(waiting).toHaveLength(1);
    });

  it('is not started before it is stored', async () => {
    const order = await aFundedContract(adapter);
    const store = await holdUpStoring();
    await requestSettlement(adapter, order, { decision: 'RELEASE' });
    await untilItWaits();
    expect(called).toEqual([]);
    await store();
    await adapter.waitForReply(order.orderId, ...settlementReplies);
    expect(called).toEqual(['read', 'build', 'submit', 'build', 'submit', 'build', 'submit']);
    expect(await contractsOf(adapter, order.orderId)).toMatchObject([{ balance: 0 }]);
  });

  it('is executed once if storing it failed and the message was redelivered', async () => {
    const order = await aFundedContract(adapter);
    const store = await holdUpStoring();
    await requestSettlement(adapter, order, { decision: 'RELEASE' });
    await eventually(async () => {
      const cut = await adapter.database.asAdmin(
        `select pg_terminate_backend(pid) from pg_stat_activity
         where datname = current_database() and wait_event_type = 'Lock' and query like '%"intentSubject"%'`,
      );
      expect(cut).toHaveLength(1);
    });
    await store();
    expect((await adapter.waitForReply(order.orderId, ...settlementReplies)).type).toBe('escrow.released');
    expect(called.filter((what) => what === 'submit')).toHaveLength(3);
    expect(await contractsOf(adapter, order.orderId)).toMatchObject([{ balance: 0 }]);
  });

  it('is executed once for two concurrent deliveries of the message', async () => {
    const order = await aFundedContract(adapter);
    const store = await holdUpStoring();
    const message = await requestSettlement(adapter, order, { decision: 'RELEASE' });
    await adapter.republish(message);
    await untilItWaits();
    await store();
    await adapter.waitForReply(order.orderId, ...settlementReplies);
    expect(called.filter((what) => what === 'submit')).toHaveLength(3);
    await eventually(async () => {
      const open = await adapter.database.asAdmin(`select hash from escrow_adapter.ledger_transactions where state = 'OPEN'`);
      expect(open).toEqual([]);
    });
  });

  it('continues the version that another process has incremented', async () => {
    const order = await aCreatedContract(adapter);
    await adapter.database.asAdmin(`update escrow_adapter.contracts set version = version + 1 where order_id = $1`, [
      order.orderId,
    ]);
    await requestFunding(adapter, order);
    expect(await adapter.waitForReply(order.orderId, 'escrow.funded')).toMatchObject({ aggregateVersion: 3 });
  });
});
