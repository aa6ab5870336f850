import { knownUsers } from '@holdfast/service-kit/known-users';
import { parseMoney, baseCurrency } from '@holdfast/kernel/money';
import { createServiceClient } from '@holdfast/http/service-client';
import { sagaStalledAfterMsOf, settlementTimeoutMsOf } from '@holdfast/process/config';
import { defineService, openSagaRuns, sagaJobs, type ServiceRuntime } from '@holdfast/service-kit';
import type { SagaRuns } from '@holdfast/sagas/runs';
import { settings, type Settings } from './config.js';
import { routesOf } from './http/routes.js';
import { consumersOf } from './messages/consumers.js';
import * as declared from './metrics.js';
import { ledgerBalances } from './providers/ledger.js';
import { disputeStore } from './store/dispute-store.js';
import { marketplaceHandler } from './store/marketplace-store.js';
import { measureOrdersJob } from './store/measure-orders.js';
import { orderStore } from './store/order-store.js';
import { createOrderUnitOfWork } from './store/order-unit-of-work.js';
import { timerJobs, timersOf } from './timers.js';
import { projectStore } from './store/project-store.js';
import { entities } from './store/schema.js';
import { drivenRuns, openRunsOfOrders } from './use-cases/open-runs.js';
import type { Deps, OrderOutcome } from './use-cases/ports.js';

/** The service that owns orders with their escrow records, milestones and disputes, and starts every order saga. */
export const orders = defineService({
  name: 'orders',
  migrations: new URL('../migrations', import.meta.url),
  settings,
  entities,
  metrics: declared.metrics,
  create: (runtime) => {
    const sagaRuns = openSagaRuns<OrderOutcome>(runtime);
    const deps = depsOf(runtime, sagaRuns);
    const jobs = sagaJobs(runtime, {
      driven: drivenRuns(deps),
      sagaRuns,
      // A stalled sequence is counted by its current saga.
      stalledRuns: async (query) => (await openRunsOfOrders(deps, query)).filter(({ currentRunId }) => currentRunId === null),
      subjectOf: ({ orderId, orderStatus }) => ({ orderId, orderStatus }),
    });
    return {
      routes: routesOf(deps, runtime.config.ESCROW_CURRENCIES),
      consumers: consumersOf(deps),
      jobs: [...jobs, ...timerJobs(runtime, deps), measureOrdersJob(runtime)],
    };
  },
});

function depsOf(runtime: ServiceRuntime<Settings>, sagaRuns: SagaRuns<OrderOutcome>): Deps {
  const { config, database, outbox, newId, lifecycle, signer, metrics, clock } = runtime;
  const identity = createServiceClient({ from: 'orders', to: 'identity', baseUrl: config.IDENTITY_URL, signer });
  lifecycle.onStop('identity client', identity.close);
  const ledger = createServiceClient({ from: 'orders', to: 'ledger-balance', baseUrl: config.LEDGER_BALANCE_URL, signer });
  lifecycle.onStop('ledger-balance client', ledger.close);
  const timers = timersOf(runtime);
  const { drain, ...unitOfWork } = createOrderUnitOfWork({ database, outbox, sagaRuns, newId, onTimerSet: timers.onSet });
  lifecycle.onStop('order unit of work', drain);
  return {
    ...unitOfWork,
    orders: orderStore(database),
    disputes: disputeStore(database),
    projects: projectStore(database),
    balances: ledgerBalances(ledger),
    users: knownUsers({ service: 'orders', database, identity, clock }),
    runs: sagaRuns,
    timers: timers.store,
    timeoutMs: settlementTimeoutMsOf(config),
    unabortedAfterMs: config.SAGA_ABORT_AFTER_MS + sagaStalledAfterMsOf(config),
    settlementsContradicted: metrics.counter(declared.settlementsContradicted),
    isStoppedBySetting: config.EMERGENCY_STOP,
    handleStopChanged: timers.handleStopChanged,
    handleMarketplaceChanged: marketplaceHandler(database),
    amountLimits: {
      minUnits: parseMoney(config.ORDER_AMOUNT_MIN, baseCurrency).units,
      maxUnits: parseMoney(config.ORDER_AMOUNT_MAX, baseCurrency).units,
    },
    newId,
  };
}
