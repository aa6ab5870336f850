import { randomUUID } from 'node:crypto';
import { knownUsers } from '@holdfast/service-kit/known-users';
import type { Context } from '@holdfast/kernel/context';
import type { MarketplaceId } from '@holdfast/kernel/ids';
import { durationMsOf, toEpochMs, type Instant } from '@holdfast/kernel/instants';
import { parseMoney, baseCurrency } from '@holdfast/kernel/money';
import { isStopStored, stopHandler, type StopHandler } from '@holdfast/intents/provider-controls';
import type { ServiceName } from '@holdfast/contracts/services';
import { createServiceClient } from '@holdfast/http/service-client';
import { sagaStalledAfterMsOf, settlementTimeoutMsOf } from '@holdfast/process/config';
import { defineService, openSagaRuns, sagaJobs, type ServiceRuntime } from '@holdfast/service-kit';
import type { SagaRuns } from '@holdfast/sagas/runs';
import { dueWorkEveryMs, type Job } from '@holdfast/work';
import { settings, type Settings } from './config.js';
import { routesOf } from './http/routes.js';
import { consumersOf } from './messages/consumers.js';
import * as declared from './metrics.js';
import { ledgerBalances, ledgerTransfers } from './providers/ledger.js';
import { timelineSources } from './providers/timeline-sources.js';
import { disputeStore } from './store/dispute-store.js';
import { marketplaceHandler } from './store/marketplace-store.js';
import { measureOrdersJob } from './store/measure-orders.js';
import { measureTimersJob } from './store/measure-timers.js';
import { orderStore } from './store/order-store.js';
import { createOrderUnitOfWork } from './store/order-unit-of-work.js';
import { projectStore } from './store/project-store.js';
import { entities } from './store/schema.js';
import { timelineStore } from './store/timeline-store.js';
import { testClockStore, type TestClockStore } from './store/test-clock-store.js';
import { stopWrites, timerStore } from './store/timer-store.js';
import { fireTimersOfClocks } from './use-cases/fire-timers-of-clocks.js';
import { fireDueTimers } from './use-cases/fire-due-timers.js';
import { drivenRuns, openRunsOfOrders } from './use-cases/open-runs.js';
import type { Deps, OrderOutcome } from './use-cases/ports.js';
import type { TimelineDeps } from './use-cases/timeline/ports.js';

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
      routes: routesOf(
        { ...deps, timeline: timelineOf(runtime) },
        {
          escrowCurrencies: runtime.config.ESCROW_CURRENCIES,
          isStopped: async () => deps.isStoppedBySetting || (await isStopStored(runtime.database)),
        },
      ),
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
  const testClocks = testClockStore({ database, onAdvanced: () => runtime.wake(fireTimersOfClocksJob) });
  const timers = timersOf(runtime, testClocks);
  const { drain, ...unitOfWork } = createOrderUnitOfWork({ database, outbox, sagaRuns, newId, onTimerSet: timers.onSet });
  lifecycle.onStop('order unit of work', drain);
  return {
    ...unitOfWork,
    orders: orderStore(database),
    disputes: disputeStore(database),
    projects: projectStore(database),
    balances: ledgerBalances(ledger),
    transfers: ledgerTransfers(ledger),
    users: knownUsers({ service: 'orders', database, identity, clock }),
    runs: sagaRuns,
    timers: timers.store,
    testClocks,
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

function timelineOf({ config, database, lifecycle, signer }: ServiceRuntime<Settings>): TimelineDeps['timeline'] {
  const clientOf = (to: ServiceName, baseUrl: string) => {
    const client = createServiceClient({ from: 'orders', to, baseUrl, signer });
    lifecycle.onStop(`${to} client`, client.close);
    return client;
  };
  const notifications = clientOf('notifications', config.NOTIFICATIONS_URL);
  const adapter = clientOf('escrow-adapter', config.ESCROW_ADAPTER_URL);
  return { ...timelineStore(database), ...timelineSources({ notifications, adapter }) };
}

const fireTimersJob = 'fire-timers';
const fireTimersOfClocksJob = 'fire-timers-of-test-clocks';
const beatEveryMs = 60_000;

type Timers = {
  readonly store: Deps['timers'];
  /** Wakes up the job for a timer that is due before it looks again. */
  readonly onSet: (dueAt: Instant) => void;
  readonly handleStopChanged: StopHandler;
};

function timersOf({ config, database, clock, wake }: ServiceRuntime<Settings>, testClocks: TestClockStore): Timers {
  const graceMs = durationMsOf(config.TIMER_GRACE) ?? 0;
  const wakeJob = (): void => wake(fireTimersJob);
  return {
    store: timerStore({ database, graceMs, onWoken: wakeJob }),
    onSet: (dueAt) => {
      const inMs = Math.max(0, toEpochMs(dueAt) - clock.epochMs());
      if (inMs < dueWorkEveryMs) wake(fireTimersJob, inMs);
      if (testClocks.isUsed()) wake(fireTimersOfClocksJob);
    },
    handleStopChanged: stopHandler({ database, service: 'orders', beforeStored: stopWrites(graceMs) }, wakeJob),
  };
}

/** How soon a clock looks again whether what it has begun has ended. */
const clockPauseMs = 20;

function timerJobs(runtime: ServiceRuntime<Settings>, deps: Deps): readonly Job[] {
  const { clock, log } = runtime;
  const caller = { type: 'timer', id: 'timer', scopes: [] } as const;
  const contextOf = (marketplaceId: MarketplaceId): Context => ({
    caller: { ...caller, marketplaceId },
    requestId: randomUUID(),
    at: clock.now(),
    log,
  });
  return [
    {
      name: fireTimersJob,
      everyMs: dueWorkEveryMs,
      nextDueInMs: deps.timers.nextDueInMs,
      run: (signal) => fireDueTimers(deps, { contextOf, signal }),
    },
    {
      name: fireTimersOfClocksJob,
      everyMs: dueWorkEveryMs,
      nextDueInMs: deps.testClocks.nextStepInMs,
      pauseMsMin: clockPauseMs,
      run: (signal) => fireTimersOfClocks(deps, { contextOf, signal }),
    },
    {
      name: 'beat',
      everyMs: beatEveryMs,
      run: async () => {
        await deps.timers.beat();
      },
    },
    measureTimersJob(runtime),
  ];
}
