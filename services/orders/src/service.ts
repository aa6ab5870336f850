import { knownUsers } from '@holdfast/shared/known-users';
import { parseMoney, baseCurrency } from '@holdfast/shared/money';
import { createServiceClient } from '@holdfast/shared/service-client';
import { defineService, type Job, type ServiceRuntime } from '@holdfast/shared/service-host';
import { createSettlement, type Settlement } from '@holdfast/shared/settlement';
import { settings, type Settings } from './config.js';
import { routesOf } from './http/routes.js';
import { consumersOf } from './messages/consumers.js';
import { disputeStore } from './store/dispute-store.js';
import { orderStore } from './store/order-store.js';
import { createOrderUnitOfWork } from './store/order-unit-of-work.js';
import { runStore } from './store/run-store.js';
import { disputeSchema, orderSchema } from './store/schema.js';
import { openRuns } from './use-cases/open-runs.js';
import type { Deps } from './use-cases/ports.js';
import { reaskStandingStill } from './use-cases/reask.js';

/** The service that owns orders with their escrow records, milestones and disputes, and begins every order saga. */
export const orders = defineService({
  name: 'orders',
  migrations: new URL('../migrations', import.meta.url),
  settings,
  entities: [orderSchema, disputeSchema],
  create: (runtime) => {
    const { database, broker, newId, log, lifecycle } = runtime;
    const settlement = createSettlement({ database, broker, newId, log });
    lifecycle.onStop('settlement', () => {
      settlement.stop();
      return Promise.resolve();
    });
    const deps = depsOf(runtime, settlement);
    const jobs = [reasking(runtime, deps), measuring(runtime, deps), pruning(settlement)];
    return { routes: routesOf(deps), consumers: consumersOf(deps), jobs };
  },
});

function depsOf(runtime: ServiceRuntime<Settings>, settlement: Settlement): Deps {
  const { config, database, outbox, clock, newId, lifecycle, signer } = runtime;
  const identity = createServiceClient({ from: 'orders', to: 'identity', baseUrl: config.IDENTITY_URL, signer });
  lifecycle.onStop('identity client', identity.close);
  const { drain, ...unitOfWork } = createOrderUnitOfWork({ database, outbox, settlement });
  lifecycle.onStop('order unit of work', drain);
  return {
    ...unitOfWork,
    orders: orderStore(database),
    disputes: disputeStore(database),
    users: knownUsers({ service: 'orders', database, identity, clock }),
    runs: runStore(settlement, config.SETTLEMENT_TIMEOUT_MS),
    amountLimits: {
      minUnits: parseMoney(config.ORDER_AMOUNT_MIN, baseCurrency).units,
      maxUnits: parseMoney(config.ORDER_AMOUNT_MAX, baseCurrency).units,
    },
    newId,
  };
}

/** Asks again for what stands still; see the gauges for how much that is. */
function reasking({ config, clock, log }: ServiceRuntime<Settings>, deps: Deps): Job {
  const olderThanMs = config.SAGA_REASK_AFTER_MS;
  return {
    name: 'reask-sagas',
    everyMs: olderThanMs,
    run: async (signal) => {
      await reaskStandingStill(deps, { olderThanMs, at: clock.now(), log, signal });
    },
  };
}

const measuredEveryMs = 15_000;
const measuredRunsMax = 10_000;

function measuring({ config, clock, metrics }: ServiceRuntime<Settings>, deps: Deps): Job {
  const still = metrics.gauge('sagas_standing_still_count', 'Sagas that stand still for longer than they should');
  const past = metrics.gauge(
    'sagas_past_point_of_no_return_count',
    'Sagas that stand still where they can only go forward: money has moved, and somebody should look',
  );
  return {
    name: 'measure-sagas',
    everyMs: measuredEveryMs,
    run: async () => {
      const sight = { olderThanMs: config.SAGA_REASK_AFTER_MS, limitMax: measuredRunsMax, at: clock.now() };
      const runs = await openRuns(deps, sight);
      still.set(runs.length);
      past.set(runs.filter(({ isPastPointOfNoReturn }) => isPastPointOfNoReturn).length);
    },
  };
}

const pruneEveryMs = 3_600_000;

function pruning(settlement: Settlement): Job {
  return {
    name: 'prune-saga-runs',
    everyMs: pruneEveryMs,
    run: async (signal) => {
      await settlement.prune(signal);
    },
  };
}
