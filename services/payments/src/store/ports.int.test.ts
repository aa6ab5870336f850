import { fileURLToPath } from 'node:url';
import type { Envelope } from '@holdfast/contracts/messages';
import type { ServiceClient } from '@holdfast/http/service-client';
import { insertIntent, intentsMigrations, intentStore } from '@holdfast/intents';
import { createLeases } from '@holdfast/intents/leases';
import { systemClock } from '@holdfast/kernel/context';
import { AppError } from '@holdfast/kernel/errors';
import { idFactory } from '@holdfast/kernel/ids';
import { recordIfNew } from '@holdfast/messaging/inbox';
import { createOutbox, messagingMigrations } from '@holdfast/messaging/outbox';
import type { Database } from '@holdfast/postgres';
import { createSagaRuns } from '@holdfast/sagas/runs';
import { createPerformer, idempotentRequestsMigrations } from '@holdfast/service-kit/idempotent-requests';
import { knownUsers, type KnownUser } from '@holdfast/service-kit/known-users';
import { silentLog } from '@holdfast/testing/log';
import { serviceDatabase } from '@holdfast/testing/services';
import { payments } from '../service.js';
import { describePorts } from '../testing/port-suite.js';
import { runLimits, type PortsUnderTest } from '../testing/ports-under-test.js';
import { accountStore } from './account-store.js';
import { caseStore } from './case-store.js';
import { holdStore } from './hold-store.js';
import { reportStore } from './report-store.js';
import { entities } from './schema.js';
import { testClockStore } from './test-clock-store.js';
import { topupStore } from './topup-store.js';
import { createUnitOfWork } from './unit-of-work.js';
import { withdrawalStore } from './withdrawal-store.js';

const clock = systemClock();
const newId = idFactory(clock.epochMs);
const broker = { onNotification: () => () => undefined, replyQueue: () => 'replies', notify: () => undefined };
const relay = { handOver: () => undefined, limits: { sweepAfterMs: 5_000, resendAfterMs: 30_000 } } as unknown as Parameters<
  typeof createOutbox
>[0]['relay'];
const worker = { wake: () => undefined };

const makeOlder = `
  with older as (select make_interval(secs => $1) as age),
  topups as (
    update topups
    set next_poll_at = next_poll_at - age, next_confirmation_at = next_confirmation_at - age, returned_at = returned_at - age
    from older
  ),
  withdrawals as (update withdrawals set next_poll_at = next_poll_at - age from older)
  update saga_runs
  set begun_at = begun_at - age
  from older`;

const setStop = `
  insert into emergency_stop (is_stopped, version, changed_at, restored_at)
  values ($1::timestamptz is not null, 1, now(), $1)
  on conflict (is_only_row) do update
  set is_stopped = excluded.is_stopped, restored_at = excluded.restored_at`;

/** The transactions as service.ts composes them. */
function transactionsOf(database: Database, runs: ReturnType<typeof createSagaRuns>, intents: ReturnType<typeof intentStore>) {
  const outbox = createOutbox({ clock, newId, relay });
  const writes = {
    insertIntent: insertIntent(() => worker),
    intents,
    worker: () => worker,
    wakeAt: () => undefined,
    casesOpened: { inc: () => undefined },
  };
  const deps = { outbox, sagaRuns: runs, newId, ...writes };
  const perform = createPerformer({ database, key: Buffer.alloc(32) });
  const transactions: Pick<PortsUnderTest, 'perform' | 'inTransaction' | 'onMessage'> = {
    perform: (operation, work) => perform(operation, (tx) => work(createUnitOfWork(tx, deps))),
    inTransaction: (work) => database.inTransaction((tx) => work(createUnitOfWork(tx, deps))),
    onMessage: (message, work) =>
      database.inTransaction(async (tx) => {
        if (await recordIfNew(tx, 'payments', message.id)) await work(createUnitOfWork(tx, deps));
      }),
  };
  return transactions;
}

function identityOf(users: ReadonlyMap<string, KnownUser>): Pick<ServiceClient, 'call'> {
  const call = async (_: unknown, { params: { id } }: { params: { id: string } }, by: { marketplaceId: string }) => {
    const { receivedAt: _receivedAt, ...user } = users.get(id) ?? { marketplaceId: undefined };
    if (user.marketplaceId !== by.marketplaceId) throw new AppError('USER_NOT_FOUND');
    return user;
  };
  return { call } as unknown as Pick<ServiceClient, 'call'>;
}

describePorts('Postgres', async () => {
  const server = await serviceDatabase(payments);
  const own = fileURLToPath(new URL('../../migrations', import.meta.url));
  const migrations = [messagingMigrations, intentsMigrations, idempotentRequestsMigrations, own];
  const database = await server.open({ service: 'payments', migrations, entities });
  const runs = createSagaRuns({ database, broker, log: silentLog, ...runLimits });
  const intents = intentStore({ database, owner: 'this process', leaseMs: 60_000 });
  const leases = createLeases({ database });
  const users = new Map<string, KnownUser>();
  return {
    ...transactionsOf(database, runs, intents),
    topups: topupStore(database),
    testClocks: testClockStore({ database, isSandbox: true, onAdvanced: () => undefined }),
    withdrawals: withdrawalStore(database),
    holds: holdStore(database),
    cases: caseStore(database),
    accounts: accountStore(database),
    reports: reportStore(database, leases),
    users: knownUsers({ service: 'payments', database, identity: identityOf(users), clock }),
    runs,
    intents,
    newId,
    now: clock.now,
    addToIdentity: (user) => void users.set(user.id, user),
    claim: async (id) => (await intents.claim([id]))[0],
    setRestoredAt: async (at) => {
      await database.pool.query(setStop, [at ?? null]);
    },
    pass: async (ms) => {
      await database.pool.query(makeOlder, [ms / 1_000]);
    },
    published: async () => {
      const { rows } = await database.pool.query<{ readonly messages: string | readonly Envelope[] }>(
        'select messages from outbox order by id',
      );
      return rows.flatMap(({ messages }) => (typeof messages === 'string' ? (JSON.parse(messages) as Envelope[]) : messages));
    },
    dispose: async () => {
      runs.stop();
      await leases.stop();
      await server.drop();
    },
  };
});
