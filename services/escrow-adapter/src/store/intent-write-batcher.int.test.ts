import { fileURLToPath } from 'node:url';
import { systemClock } from '@holdfast/kernel/context';
import { defaultMarketplaceId, type MessageId } from '@holdfast/kernel/ids';
import { messagingMigrations } from '@holdfast/messaging/outbox';
import { connectDatabase, type Database } from '@holdfast/postgres';
import { eventually } from '@holdfast/testing/eventually';
import { silentLog } from '@holdfast/testing/log';
import { startCommitProxy, type CommitProxy, type TestDatabase } from '@holdfast/testing/postgres';
import { serviceDatabase } from '@holdfast/testing/services';
import { intentStore, LeaseLost, intentsMigrations, type Intent } from '@holdfast/intents';
import { escrowAdapter } from '../service.js';
import type { Deps, IntentWrite } from '../use-cases/ports.js';
import { createIntentWriteBatcher } from './intent-write-batcher.js';

let server: TestDatabase;
let proxy: CommitProxy;
let database: Database;
let viaProxy: Database;
let commit: Deps['commit'];
const clock = systemClock();

beforeAll(async () => {
  server = await serviceDatabase(escrowAdapter);
  database = await server.open({
    service: 'escrow-adapter',
    migrations: [messagingMigrations, intentsMigrations, fileURLToPath(escrowAdapter.migrations)],
  });
  proxy = await startCommitProxy(server.adminUrl);
  const { internalSecret } = server;
  viaProxy = await connectDatabase({ adminUrl: proxy.url, service: 'escrow-adapter', internalSecret, log: silentLog });
  commit = createIntentWriteBatcher({ database, clock });
});
beforeEach(() => server.asAdmin('truncate escrow_adapter.intents, escrow_adapter.contracts cascade'));
afterAll(async () => {
  await viaProxy.close();
  await proxy.close();
  await server.drop();
});

async function leased(...names: readonly string[]): Promise<readonly Intent[]> {
  for (const name of names) {
    await database.pool.query(
      `insert into contracts (
         escrow_id, order_id, marketplace_id, contract_type, amount_units, currency, buyer_id, seller_id, title, description,
         platform_fee_basis_points, milestones, status, created_at
       )
       values ($1, 'ord_1', $2, 'single-release', 1, 'USDC', 'usr_1', 'usr_2', '', '', 500, '[]', 'REQUESTED', now())`,
      [`esc_${name}`, defaultMarketplaceId],
    );
    await database.pool.query(
      `insert into intents (id, subject, kind, priority, marketplace_id, correlation_id, payload)
       values ($1, $2, 'fund', 1, $3, 'req_1', '{}')`,
      [`evt_${name}`, `esc_${name}`, defaultMarketplaceId],
    );
  }
  const claimed = await intentStore({ database, owner: 'this process', leaseMs: 60_000 }).claim(
    names.map((name) => `evt_${name}`),
  );
  return claimed.toSorted((one, other) => (one.id < other.id ? -1 : 1));
}

async function twoLeased(): Promise<readonly [Intent, Intent]> {
  const [one, other] = await leased('1', '2');
  if (one === undefined || other === undefined) throw new Error('both are leased');
  return [one, other];
}

const closing = (intent: Intent): IntentWrite => ({
  intent,
  isCommitted: () => Promise.resolve(false),
  write: (unit) => unit.closeIntent(intent, []),
});
const closed = (): Promise<readonly { readonly id: MessageId; readonly commit: string }[]> =>
  server.asAdmin('select id, xmin::text as commit from escrow_adapter.intents where closed_at is not null order by id');

describe('concurrent writes of intents', () => {
  it('are one commit', async () => {
    const intents = await leased('c', 'a', 'b');
    await Promise.all(intents.map((intent) => commit(closing(intent))));
    const rows = await closed();
    expect(rows.map(({ id }) => id)).toEqual(['evt_a', 'evt_b', 'evt_c']);
    expect(new Set(rows.map((row) => row.commit)).size).toBe(1);
  });

  it('are committed except that of a lost lease', async () => {
    const [withLease, lost] = await twoLeased();
    await database.pool.query('update intents set lease_token = lease_token + 1 where id = $1', [lost.id]);
    const settled = await Promise.allSettled([commit(closing(withLease)), commit(closing(lost))]);
    expect(settled).toEqual([
      { status: 'fulfilled', value: undefined },
      { status: 'rejected', reason: new LeaseLost(lost.id) },
    ]);
    expect(await closed()).toMatchObject([{ id: withLease.id }]);
  });

  it('are committed except one that throws, whose afterCommit does not run', async () => {
    const [withLease, broken] = await twoLeased();
    const after: string[] = [];
    const breaking: IntentWrite = {
      ...closing(broken),
      write: (unit) => {
        unit.tx.afterCommit(() => after.push('broken'));
        throw new Error('a bug');
      },
    };
    const recording: IntentWrite = {
      ...closing(withLease),
      write: (unit) => {
        unit.closeIntent(withLease, []);
        unit.tx.afterCommit(() => after.push('held'));
      },
    };
    const settled = await Promise.allSettled([commit(breaking), commit(recording)]);
    expect(settled).toEqual([
      { status: 'rejected', reason: new Error('a bug') },
      { status: 'fulfilled', value: undefined },
    ]);
    expect(after).toEqual(['held']);
    expect(await closed()).toMatchObject([{ id: withLease.id }]);
  });

  it('lock intents in the order of their ids', async () => {
    const [first, second] = await twoLeased();
    let committing: Promise<unknown> = Promise.resolve();
    await database.lists.inTransaction(async (rival) => {
      await rival.query('select from intents where id = $1 for update', [first.id]);
      committing = Promise.all([commit(closing(second)), commit(closing(first))]);
      await eventually(async () => {
        const waiting = await server.asAdmin(
          `select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`,
        );
        expect(waiting).toHaveLength(1);
      });
      // The batch waits for the first intent and has not locked the second.
      await rival.query('select from intents where id = $1 for update nowait', [second.id]);
    });
    await committing;
    expect(await closed()).toMatchObject([{ id: first.id }, { id: second.id }]);
  });
});

describe.each(['lose-response', 'garble-response', 'lose-request'] as const)(
  'a commit whose outcome is unknown (%s)',
  (fault) => {
    /** The first COMMIT is struck, the next ones pass. */
    async function committedThroughFault(write: IntentWrite): Promise<void> {
      proxy.setFault(fault);
      const before = proxy.faultCount();
      const committing = createIntentWriteBatcher({ database: viaProxy, clock })(write);
      committing.catch(() => undefined);
      await eventually(() => expect(proxy.faultCount()).toBeGreaterThan(before));
      proxy.setFault('none');
      await committing;
    }

    it('closes an intent once', async () => {
      const [intent] = await twoLeased();
      const intents = intentStore({ database, owner: 'this process', leaseMs: 60_000 });
      let writes = 0;
      await committedThroughFault({
        ...closing(intent),
        isCommitted: (tx) => intents.isClosedBy(tx, intent),
        write: (unit) => {
          writes += 1;
          unit.closeIntent(intent, []);
        },
      });
      expect(writes).toBe(fault === 'lose-request' ? 2 : 1);
      expect(await closed()).toMatchObject([{ id: intent.id }]);
    });
  },
);
