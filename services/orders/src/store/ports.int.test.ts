import { fileURLToPath } from 'node:url';
import type { Envelope } from '@holdfast/contracts/messages';
import type { ServiceClient } from '@holdfast/http/service-client';
import { stopHandler } from '@holdfast/intents/provider-controls';
import { systemClock } from '@holdfast/kernel/context';
import { AppError } from '@holdfast/kernel/errors';
import { messagingMigrations } from '@holdfast/messaging/outbox';
import { knownUsers, type KnownUser } from '@holdfast/service-kit/known-users';
import { serviceDatabase } from '@holdfast/testing/services';
import { orders } from '../service.js';
import { describePorts } from '../testing/port-suite.js';
import { runLimits } from '../testing/ports-under-test.js';
import { newId, startUnitOfWork } from '../testing/unit-of-work.js';
import { disputeStore } from './dispute-store.js';
import { marketplaceHandler } from './marketplace-store.js';
import { orderStore } from './order-store.js';
import { projectStore } from './project-store.js';
import { testClockStore } from './test-clock-store.js';
import { timerStore } from './timer-store.js';
import { entities } from './schema.js';

const makeOlder = `
  update saga_runs
  set begun_at = begun_at - make_interval(secs => $1),
    next_retry_at = next_retry_at - make_interval(secs => $1),
    deadline_at = deadline_at - make_interval(secs => $1)`;

describePorts('Postgres', async () => {
  const server = await serviceDatabase(orders);
  const migrations = [messagingMigrations, fileURLToPath(new URL('../../migrations', import.meta.url))];
  const database = await server.open({ service: 'orders', migrations, entities });
  const { runs, stop, drain: _drain, ...unitOfWork } = startUnitOfWork(database, runLimits);
  const atIdentity = new Map<string, KnownUser>();
  const call = async (_: unknown, { params: { id } }: { params: { id: string } }, by: { marketplaceId: string }) => {
    const { receivedAt: _receivedAt, ...user } = atIdentity.get(id) ?? { marketplaceId: undefined };
    if (user.marketplaceId !== by.marketplaceId) throw new AppError('USER_NOT_FOUND');
    return user;
  };
  const identity = { call } as unknown as Pick<ServiceClient, 'call'>;
  return {
    ...unitOfWork,
    runs,
    orders: orderStore(database),
    disputes: disputeStore(database),
    projects: projectStore(database),
    users: knownUsers({ service: 'orders', database, identity, clock: systemClock() }),
    handleStopChanged: stopHandler({ database, service: 'orders' }),
    handleMarketplaceChanged: marketplaceHandler(database),
    testClocks: testClockStore({ database, onAdvanced: () => undefined }),
    timers: timerStore({ database, graceMs: 86_400_000, onWoken: () => undefined }),
    newId,
    addToIdentity: (user) => void atIdentity.set(user.id, user),
    pass: async (ms) => {
      await database.pool.query(makeOlder, [ms / 1_000]);
    },
    published: async () => {
      const { rows } = await database.pool.query<{ readonly messages: string | readonly Envelope[] }>(
        'select messages from outbox order by id',
      );
      return rows.flatMap(({ messages }) =>
        typeof messages === 'string' ? (JSON.parse(messages) as readonly Envelope[]) : messages,
      );
    },
    dispose: async () => {
      stop();
      await server.drop();
    },
  };
});
