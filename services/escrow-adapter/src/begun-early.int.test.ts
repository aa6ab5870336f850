import { fileURLToPath } from 'node:url';
import { messagingMigrations } from '@holdfast/shared/outbox';
import type { Database } from '@holdfast/shared/postgres';
import { eventually } from '@holdfast/shared/testing/eventually';
import { escrowAdapter } from './service.js';
import {
  aCreatedContract,
  aFundedContract,
  askForContract,
  askForFunds,
  askForSettlement,
  settlementAnswers,
} from './testing/orders.js';
import { startAdapter, type RunningAdapter } from './testing/running-adapter.js';
import { contractsOf } from './testing/sandbox-state.js';

describe('what is asked for is begun while it is stored', () => {
  let adapter: RunningAdapter;
  let tables: Database;
  const asked: string[] = [];

  beforeAll(async () => {
    adapter = await startAdapter({
      wrapProvider: (provider) => ({
        ...provider,
        read: (...args) => (asked.push('read'), provider.read(...args)),
        buildDeployment: (...args) => (asked.push('build'), provider.buildDeployment(...args)),
        buildStep: (...args) => (asked.push('build'), provider.buildStep(...args)),
        submit: (...args) => (asked.push('submit'), provider.submit(...args)),
      }),
    });
    tables = await adapter.database.open({
      service: 'escrow-adapter',
      migrations: [messagingMigrations, fileURLToPath(escrowAdapter.migrations)],
    });
  }, 120_000);
  afterAll(() => adapter.stop());

  /** Nothing can be stored from this on until somebody calls what it answers. */
  async function holdUpStoring(): Promise<() => Promise<void>> {
    asked.length = 0;
    let letGo = (): void => undefined;
    const isLetGo = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    let held: Promise<void> | undefined;
    await new Promise<void>((isLocked) => {
      held = tables.inTransaction(async (tx) => {
        await tx.query('lock table inbox in exclusive mode');
        isLocked();
        await isLetGo;
      });
    });
    return async () => {
      letGo();
      await held;
    };
  }

  const transactions = () =>
    adapter.database.asAdmin<{ readonly hash: string }>('select hash from escrow_adapter.ledger_transactions');

  it('a deployment is built, and submitted only once it is stored', async () => {
    const store = await holdUpStoring();
    const { orderId } = await askForContract(adapter);
    await eventually(() => expect(asked).toEqual(['build']));
    expect(await transactions()).toEqual([]);
    await store();
    await adapter.answer(orderId, 'escrow.created');
    expect(asked).toEqual(['build', 'submit']);
  });

  it('a funding and a release are read and built, and submitted only once they are stored', async () => {
    const order = await aCreatedContract(adapter);
    let store = await holdUpStoring();
    await askForFunds(adapter, order);
    await eventually(() => expect(asked).toEqual(['read', 'build']));
    await store();
    await adapter.answer(order.orderId, 'escrow.funded');
    store = await holdUpStoring();
    await askForSettlement(adapter, order, { decision: 'RELEASE' });
    await eventually(() => expect(asked).toEqual(['read', 'build']));
    await store();
    await adapter.answer(order.orderId, ...settlementAnswers);
    expect(asked).toEqual(['read', 'build', 'submit', 'build', 'submit', 'build', 'submit']);
    expect(await contractsOf(adapter, order.orderId)).toMatchObject([{ balance: 0 }]);
  });

  it('what could not be stored is never submitted, and done once when it is heard again', async () => {
    const order = await aFundedContract(adapter);
    const store = await holdUpStoring();
    await askForSettlement(adapter, order, { decision: 'RELEASE' });
    await eventually(() => expect(asked).toEqual(['read', 'build']));
    await eventually(async () => {
      const cut = await adapter.database.asAdmin(
        `select pg_terminate_backend(pid) from pg_stat_activity
         where datname = current_database() and wait_event_type = 'Lock' and query like '%insert into inbox%'`,
      );
      expect(cut).toHaveLength(1);
    });
    await store();
    expect((await adapter.answer(order.orderId, ...settlementAnswers)).type).toBe('escrow.released');
    expect(asked.filter((what) => what === 'submit')).toHaveLength(3);
    expect(await contractsOf(adapter, order.orderId)).toMatchObject([{ balance: 0 }]);
  });

  it('a message that comes twice at once is carried out once', async () => {
    const order = await aFundedContract(adapter);
    const store = await holdUpStoring();
    const message = await askForSettlement(adapter, order, { decision: 'RELEASE' });
    await adapter.tellAgain(message);
    await eventually(() => expect(asked).toContain('build'));
    await store();
    await adapter.answer(order.orderId, ...settlementAnswers);
    expect(asked.filter((what) => what === 'submit')).toHaveLength(3);
    await eventually(async () => {
      const open = await adapter.database.asAdmin(`select hash from escrow_adapter.ledger_transactions where state = 'OPEN'`);
      expect(open).toEqual([]);
    });
  });

  it('what another process has changed meanwhile is known when it ends', async () => {
    const order = await aCreatedContract(adapter);
    await adapter.database.asAdmin(`update escrow_adapter.contracts set version = version + 1 where order_id = $1`, [
      order.orderId,
    ]);
    await askForFunds(adapter, order);
    expect(await adapter.answer(order.orderId, 'escrow.funded')).toMatchObject({ aggregateVersion: 3 });
  });
});
