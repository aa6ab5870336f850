import { fileURLToPath } from 'node:url';
import { systemClock, toInstant } from '@holdfast/shared/context';
import { defaultMarketplaceId, type MessageId } from '@holdfast/shared/ids';
import { messagingMigrations } from '@holdfast/shared/outbox';
import { connectDatabase, type Database } from '@holdfast/shared/postgres';
import { eventually } from '@holdfast/shared/testing/eventually';
import { silentLog } from '@holdfast/shared/testing/log';
import { startCommitProxy, testDatabase, type CommitProxy, type TestDatabase } from '@holdfast/shared/testing/postgres';
import { intentStore, LeaseLost, type Intent } from '../lanes/index.js';
import { escrowAdapter } from '../service.js';
import { transactionStore } from '../transactions/transaction-store.js';
import type { Deps, IntentWrite, UnitOfWork } from '../use-cases/ports.js';
import { shareCommits } from './shared-commits.js';

let server: TestDatabase;
let proxy: CommitProxy;
let database: Database;
let viaProxy: Database;
let commit: Deps['commit'];
const clock = systemClock();

beforeAll(async () => {
  server = await testDatabase();
  database = await server.open({
    service: 'escrow-adapter',
    migrations: [messagingMigrations, fileURLToPath(escrowAdapter.migrations)],
  });
  proxy = await startCommitProxy(server.adminUrl);
  const { internalSecret } = server;
  viaProxy = await connectDatabase({ adminUrl: proxy.url, service: 'escrow-adapter', internalSecret, log: silentLog });
  commit = shareCommits({ database, clock });
}, 120_000);
beforeEach(() => server.asAdmin('truncate escrow_adapter.intents cascade'));
afterAll(async () => {
  await viaProxy.close();
  await proxy.close();
  await server.drop();
});

async function leased(...names: readonly string[]): Promise<readonly Intent[]> {
  for (const name of names)
    await database.pool.query(
      `insert into intents (id, subject, kind, priority, marketplace_id, correlation_id, ask)
       values ($1, $1, 'fund', 1, $2, 'req_1', '{}')`,
      [`evt_${name}`, defaultMarketplaceId],
    );
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
  needsLease: true,
  isCommitted: () => Promise.resolve(false),
  write: (unit) => unit.closeIntent(intent, []),
});
const hashOf = (number: number): string => number.toString(16).padStart(64, '0');
const opening = (intent: Intent, number: number, isCommitted: IntentWrite['isCommitted'] = closing(intent).isCommitted) => ({
  ...closing(intent),
  isCommitted,
  write: (unit: UnitOfWork): void =>
    unit.openTransaction({
      hash: hashOf(number),
      intentId: intent.id,
      requestHash: hashOf(0),
      step: 'fund',
      sourceAccount: 'GACCOUNT',
      sequence: BigInt(number),
      envelope: 'an envelope',
      validUntil: toInstant(0),
    }),
});
const transactions = (): Promise<readonly unknown[]> =>
  server.asAdmin('select hash, state from escrow_adapter.ledger_transactions order by hash');
const closed = (): Promise<readonly { readonly id: MessageId; readonly commit: string }[]> =>
  server.asAdmin('select id, xmin::text as commit from escrow_adapter.intents where closed_at is not null order by id');

describe('what is written about intents at the same time', () => {
  it('is one commit', async () => {
    const intents = await leased('c', 'a', 'b');
    await Promise.all(intents.map((intent) => commit(closing(intent))));
    const rows = await closed();
    expect(rows.map(({ id }) => id)).toEqual(['evt_a', 'evt_b', 'evt_c']);
    expect(new Set(rows.map((row) => row.commit)).size).toBe(1);
  });

  it('ends what an account did before it opens what the account does next, in whatever order it is said', async () => {
    const [one, other] = await twoLeased();
    await commit(opening(one, 1));
    const ending: IntentWrite = { ...closing(other), write: (unit) => unit.endTransaction(hashOf(1), 'LANDED') };
    await Promise.all([commit(opening(one, 2)), commit(ending)]);
    expect(await transactions()).toEqual([
      { hash: hashOf(1), state: 'LANDED' },
      { hash: hashOf(2), state: 'OPEN' },
    ]);
  });

  it('does not keep the intents of others from being written where one lease is lost, of which nothing is written', async () => {
    const [held, lost] = await twoLeased();
    await database.pool.query('update intents set lease_token = lease_token + 1 where id = $1', [lost.id]);
    const settled = await Promise.allSettled([commit(closing(held)), commit(opening(lost, 1))]);
    expect(settled).toEqual([
      { status: 'fulfilled', value: undefined },
      { status: 'rejected', reason: new LeaseLost(lost.id) },
    ]);
    expect(await transactions()).toEqual([]);
    expect(await closed()).toMatchObject([{ id: held.id }]);
  });

  it('lets one that breaks fail alone, after which nothing of it happens', async () => {
    const [held, broken] = await twoLeased();
    const after: string[] = [];
    const breaking: IntentWrite = {
      ...closing(broken),
      write: (unit) => {
        unit.tx.afterCommit(() => after.push('broken'));
        throw new Error('a bug');
      },
    };
    const noting: IntentWrite = {
      ...closing(held),
      write: (unit) => {
        unit.closeIntent(held, []);
        unit.tx.afterCommit(() => after.push('held'));
      },
    };
    const settled = await Promise.allSettled([commit(breaking), commit(noting)]);
    expect(settled).toEqual([
      { status: 'rejected', reason: new Error('a bug') },
      { status: 'fulfilled', value: undefined },
    ]);
    expect(after).toEqual(['held']);
    expect(await closed()).toMatchObject([{ id: held.id }]);
  });

  it('locks intents in the order of their ids', async () => {
    const [first, second] = await twoLeased();
    let committing: Promise<unknown> = Promise.resolve();
    await database.lists.inTransaction(async (rival) => {
      await rival.query('select from intents where id = $1 for update', [first.id]);
      committing = Promise.all([commit(opening(second, 1)), commit(closing(first))]);
      await eventually(async () => {
        const waiting = await server.asAdmin(
          `select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`,
        );
        expect(waiting).toHaveLength(1);
      });
      // It waits for the first and has not got hold of the second.
      await rival.query('select from intents where id = $1 for update nowait', [second.id]);
    });
    await committing;
    expect(await closed()).toMatchObject([{ id: first.id }]);
  });
});

describe.each(['lose-response', 'garble-response', 'lose-request'] as const)(
  'a commit whose outcome is unknown (%s)',
  (fault) => {
    /** The first COMMIT is struck, the next ones pass. */
    async function committedThroughFault(write: IntentWrite): Promise<void> {
      proxy.setFault(fault);
      const before = proxy.struck();
      const committing = shareCommits({ database: viaProxy, clock })(write);
      committing.catch(() => undefined);
      await eventually(() => expect(proxy.struck()).toBeGreaterThan(before));
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

    it('opens a transaction once', async () => {
      const [intent] = await twoLeased();
      const { isStored } = transactionStore(database);
      await committedThroughFault(opening(intent, 1, (tx) => isStored(tx, hashOf(1))));
      expect(await transactions()).toEqual([{ hash: hashOf(1), state: 'OPEN' }]);
    });
  },
);
