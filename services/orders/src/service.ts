import { knownUsers } from '@holdfast/service-kit/known-users';
import { allSagas, hasDeadline } from '@holdfast/contracts/sagas';
import { parseMoney, baseCurrency } from '@holdfast/kernel/money';
import { stopHandler } from '@holdfast/intents/provider-controls';
import { createServiceClient } from '@holdfast/http/service-client';
import { sagaStalledAfterMsOf, settlementTimeoutMsOf } from '@holdfast/process/config';
import {
  createRunMeasurement,
  createSagaMeasurement,
  defineService,
  openRunsMeasurement,
  type ServiceRuntime,
} from '@holdfast/service-kit';
import type { Job } from '@holdfast/work';
import { createSagaRuns, type SagaRuns } from '@holdfast/messaging/saga-runs';
import { settings, type Settings } from './config.js';
import { routesOf } from './http/routes.js';
import { measureOrdersJob } from './measure-orders.js';
import { consumersOf } from './messages/consumers.js';
import * as declared from './metrics.js';
import { ledgerBalances } from './providers/ledger.js';
import { disputeStore } from './store/dispute-store.js';
import { orderStore } from './store/order-store.js';
import { createOrderUnitOfWork } from './store/order-unit-of-work.js';
import { projectStore } from './store/project-store.js';
import { runStore } from './store/run-store.js';
import { entities } from './store/schema.js';
import { openRuns, type OpenRunDetails } from './use-cases/open-runs.js';
import type { Deps } from './use-cases/ports.js';
import { abortOverdueRuns } from './use-cases/request-abort.js';
import { resendDueCommands } from './use-cases/resend-command.js';

/** The longest delay between two retries of a saga run. */
const retryAfterMsMax = 15 * 60_000;

/** The service that owns orders with their escrow records, milestones and disputes, and starts every order saga. */
export const orders = defineService({
  name: 'orders',
  migrations: new URL('../migrations', import.meta.url),
  settings,
  entities,
  metrics: declared.metrics,
  create: (runtime) => {
    const { config, database, broker, log, lifecycle, metrics } = runtime;
    const retries = { firstAfterMs: sagaStalledAfterMsOf(config), afterMsMax: retryAfterMsMax };
    const deadlines = { sagas: allSagas.filter(hasDeadline).map(({ name }) => name), afterMs: config.SAGA_ABORT_AFTER_MS };
    const { signal, stopGraceMs } = lifecycle;
    const onEnded = createRunMeasurement(metrics);
    const sagaRuns = createSagaRuns({ database, broker, log, retries, deadlines, onEnded, signal, stopGraceMs });
    lifecycle.onStop('saga runs', () => {
      sagaRuns.stop();
      return Promise.resolve();
    });
    const deps = depsOf(runtime, sagaRuns);
    const jobs = [
      resendJob(runtime, deps),
      abortJob(runtime, deps),
      measureJob(runtime, deps),
      openRunsMeasurement(sagaRuns, { service: 'orders', metrics }),
      measureOrdersJob(runtime),
      pruneJob(sagaRuns),
    ];
    return { routes: routesOf(deps, config.ESCROW_CURRENCIES), consumers: consumersOf(deps), jobs };
  },
});

function depsOf(runtime: ServiceRuntime<Settings>, sagaRuns: SagaRuns): Deps {
  const { config, database, outbox, clock, newId, lifecycle, signer, metrics } = runtime;
  const identity = createServiceClient({ from: 'orders', to: 'identity', baseUrl: config.IDENTITY_URL, signer });
  lifecycle.onStop('identity client', identity.close);
  const ledger = createServiceClient({ from: 'orders', to: 'ledger-balance', baseUrl: config.LEDGER_BALANCE_URL, signer });
  lifecycle.onStop('ledger-balance client', ledger.close);
  const { drain, ...unitOfWork } = createOrderUnitOfWork({ database, outbox, sagaRuns });
  lifecycle.onStop('order unit of work', drain);
  return {
    ...unitOfWork,
    orders: orderStore(database),
    disputes: disputeStore(database),
    projects: projectStore(database),
    balances: ledgerBalances(ledger),
    users: knownUsers({ service: 'orders', database, identity, clock }),
    runs: runStore(sagaRuns, settlementTimeoutMsOf(config)),
    unabortedAfterMs: config.SAGA_ABORT_AFTER_MS + sagaStalledAfterMsOf(config),
    settlementsContradicted: metrics.counter(declared.settlementsContradicted),
    isStoppedBySetting: config.EMERGENCY_STOP,
    handleStopChanged: stopHandler({ database, service: 'orders' }),
    amountLimits: {
      minUnits: parseMoney(config.ORDER_AMOUNT_MIN, baseCurrency).units,
      maxUnits: parseMoney(config.ORDER_AMOUNT_MAX, baseCurrency).units,
    },
    newId,
  };
}

const resendEveryMs = 1_000;

/** Resends the commands of stalled runs, so that a lost message cannot stop a saga. */
function resendJob({ config, clock, log }: ServiceRuntime<Settings>, deps: Deps): Job {
  return {
    name: 'resend-commands',
    everyMs: Math.min(resendEveryMs, sagaStalledAfterMsOf(config)),
    run: async (signal) => {
      await resendDueCommands(deps, { at: clock.now(), log, signal });
    },
  };
}

const abortEveryMs = 1_000;

/** Requests the abort of runs that are past their deadline, so that a participant that is gone cannot hold an order for ever. */
function abortJob({ config, clock, log }: ServiceRuntime<Settings>, deps: Deps): Job {
  return {
    name: 'abort-overdue-runs',
    everyMs: Math.min(abortEveryMs, config.SAGA_ABORT_AFTER_MS),
    run: (signal) => abortOverdueRuns(deps, { at: clock.now(), log, signal }),
  };
}

const measuredEveryMs = 15_000;
const measuredRunsMax = 10_000;

function measureJob({ config, clock, metrics, log }: ServiceRuntime<Settings>, deps: Deps): Job {
  const subjectOf = ({ orderId, orderStatus }: OpenRunDetails) => ({ orderId, orderStatus });
  const measure = createSagaMeasurement({ metrics, log, subjectOf });
  return {
    name: 'measure-sagas',
    everyMs: measuredEveryMs,
    run: async () => {
      const query = { olderThanMs: sagaStalledAfterMsOf(config), limitMax: measuredRunsMax, at: clock.now() };
      const runs = await openRuns(deps, query);
      // A stalled sequence is counted by its current saga.
      measure(runs.filter(({ currentRunId }) => currentRunId === null));
    },
  };
}

const pruneEveryMs = 3_600_000;

function pruneJob(sagaRuns: SagaRuns): Job {
  return {
    name: 'prune-saga-runs',
    everyMs: pruneEveryMs,
    run: async (signal) => {
      await sagaRuns.prune(signal);
    },
  };
}
