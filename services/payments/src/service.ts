import { randomUUID } from 'node:crypto';
import { findUser } from '@holdfast/contracts/http';
import type { ServiceName } from '@holdfast/contracts/services';
import { createServiceClient, type ServiceClient } from '@holdfast/http/service-client';
import { createEmergencyStop, createSpendingCap } from '@holdfast/intents/provider-controls';
import {
  createIntentWorker,
  insertIntent,
  intentsMigrations,
  intentStore,
  type IntentStore,
  type IntentWorker,
} from '@holdfast/intents';
import { createLeases } from '@holdfast/intents/leases';
import { toEpochMs, type Instant } from '@holdfast/kernel/context';
import { baseCurrency, parseMoney, parseUnits } from '@holdfast/kernel/money';
import { recordIfNew } from '@holdfast/messaging/inbox';
import type { SagaRuns } from '@holdfast/sagas/runs';
import { sagaStalledAfterMsOf, settlementTimeoutMsOf } from '@holdfast/process/config';
import { defineService, openSagaRuns, type ServiceRuntime } from '@holdfast/service-kit';
import { webhookInboxMigrations } from '@holdfast/webhook-inbox';
import { knownUsers } from '@holdfast/service-kit/known-users';
import { createPerformer, idempotentRequestsMigrations } from '@holdfast/service-kit/idempotent-requests';
import { settings, type Settings } from './config.js';
import { createPaymentWebhooks } from './http/payment-webhooks.js';
import { routesOf } from './http/routes.js';
import { consumersOf } from './messages/consumers.js';
import { intentHandlers } from './messages/intent-handlers.js';
import { paymentJobs } from './messages/jobs.js';
import * as declared from './metrics.js';
import { createBooksClient } from './providers/books-client.js';
import { connectPaymentProvider, type DescribeCalls } from './providers/connect-payment-provider.js';
import { connectSandbox } from './providers/connect-sandbox.js';
import { controlsOf } from './providers/provider-controls.js';
import { payinConfirmationOf } from './providers/payin-confirmation.js';
import { readPaymentEvent } from './providers/payment-events.js';
import { createProviderStates, isSandbox } from './providers/provider-states.js';
import {
  createAddressClient,
  createBalanceClient,
  createCredentialClient,
  createLedgerPayoutClient,
} from './providers/service-clients.js';
import { accountStore } from './store/account-store.js';
import { bookingStore } from './store/booking-store.js';
import { caseStore } from './store/case-store.js';
import { duePayments } from './store/due-payments.js';
import { holdStore } from './store/hold-store.js';
import { reportStore } from './store/report-store.js';
import { entities } from './store/schema.js';
import { testClockStore } from './store/test-clock-store.js';
import { topupStore } from './store/topup-store.js';
import { createUnitOfWork } from './store/unit-of-work.js';
import { withdrawalStore } from './store/withdrawal-store.js';
import { applyPayinUpdate } from './use-cases/apply-payin-update.js';
import { applyPayoutUpdate } from './use-cases/apply-payout-update.js';
import type { EventDeps } from './use-cases/handle-provider-event.js';
import type { Deps } from './use-cases/ports.js';
import type { AmountLimits, PaymentSettings } from './use-cases/payment-settings.js';

/** The lease of an intent expires after this time, and another process may claim it. */
const leaseMs = 15_000;

export type PaymentsLimits = {
  /** How long a call of the payment provider may take. */
  readonly providerTimeoutMs: number;
  /** After this time a process looks for payments that another one has made due and was not there to read. */
  readonly pollEveryMs: number;
  /** After this time an account that differs from the ledger network is read again. */
  readonly recheckAfterMs: number;
};

/** A payment is polled 5 s after its commit, so that a look every 5 s finds it in time, also if the process of the commit has died. */
export const defaultLimits: PaymentsLimits = { providerTimeoutMs: 10_000, pollEveryMs: 5_000, recheckAfterMs: 1_000 };

/** Owns payment accounts, top-ups, withdrawals, the events of the payment provider, and reconciliation. */
export const payments = paymentsWith(defaultLimits);

/** The service with limits of its own; only tests have them. */
export function paymentsWith(limits: PaymentsLimits) {
  return defineService({
    name: 'payments',
    sharedMigrations: [intentsMigrations, idempotentRequestsMigrations, webhookInboxMigrations],
    migrations: new URL('../migrations', import.meta.url),
    settings,
    entities,
    metrics: declared.metrics,
    create: (runtime) => {
      const { config } = runtime;
      const sagaRuns = openSagaRuns(runtime);
      const { deps, worker, intents, describeCalls } = depsOf(runtime, sagaRuns, limits);
      const providers = createProviderStates(config.PAYMENT_PROVIDER_URL);
      const webhooks = createPaymentWebhooks(runtime, eventDepsOf(deps));
      const jobs = paymentJobs(runtime, { deps, sagaRuns, limits, due: duePayments(runtime.database), intents });
      return {
        routes: routesOf({
          deps,
          providers,
          webhooks,
          controls: controlsOf(deps, { providers, describeCalls }),
          sandbox: connectSandbox(runtime),
        }),
        consumers: consumersOf(deps),
        jobs: [...worker.jobs, ...jobs, ...webhooks.jobs, providers.job],
      };
    },
  });
}

type Built = {
  readonly deps: Deps;
  readonly worker: IntentWorker;
  readonly intents: IntentStore;
  readonly describeCalls: DescribeCalls;
};

function depsOf(runtime: ServiceRuntime<Settings>, sagaRuns: SagaRuns, limits: PaymentsLimits): Built {
  const { config, database, outbox, clock, newId, lifecycle, log, deriveKey, metrics, wake, wakeReplicas } = runtime;
  const { identity, ledger, adapter } = connectServices(runtime);
  const { provider, describeCalls } = connectPaymentProvider(runtime, limits.providerTimeoutMs);
  const intents = intentStore({ database, owner: randomUUID(), leaseMs });
  const worker = createIntentWorker({
    store: intents,
    handlers: intentHandlers(() => deps),
    log,
    wake,
    wakeReplicas,
    signal: lifecycle.signal,
    limits: { runningMax: config.PAYMENT_INTENTS_CONCURRENT_MAX, stopGraceMs: lifecycle.stopGraceMs },
  });
  lifecycle.onStop('intent worker', worker.stop);
  const perform = createPerformer({ database, key: deriveKey('payments operation results') });
  const casesOpened = metrics.counter(declared.casesOpened);
  const unitOfWork = {
    outbox,
    sagaRuns,
    newId,
    intents,
    worker: () => worker,
    wakeAt: (job: string, at: Instant) => wake(job, toEpochMs(at) - clock.epochMs()),
    insertIntent: insertIntent(() => worker),
    casesOpened,
  };
  const deps: Deps = {
    perform: (operation, work) => perform(operation, (tx) => work(createUnitOfWork(tx, unitOfWork))),
    inTransaction: (work) => database.inTransaction((tx) => work(createUnitOfWork(tx, unitOfWork))),
    onMessage: (message, work) =>
      database.inTransaction(async (tx) => {
        if (await recordIfNew(tx, 'payments', message.id)) await work(createUnitOfWork(tx, unitOfWork));
      }),
    ...storesOf(runtime),
    ...reconciliationDeps(runtime),
    users: {
      ...knownUsers({ service: 'payments', database, identity, clock }),
      findEmail: async ({ marketplaceId, userId, requestId }) =>
        (await identity.call(findUser, { params: { id: userId } }, { marketplaceId, requestId })).email ?? null,
    },
    runs: sagaRuns,
    intents: { findOpen: intents.findOpen, requireLease: intents.requireLease, waitUntilClosed: worker.waitUntilClosed },
    balances: createBalanceClient(ledger),
    addresses: createAddressClient(adapter),
    ledgerPayouts: createLedgerPayoutClient(adapter),
    credentials: createCredentialClient(identity),
    provider,
    payoutCap: createSpendingCap({ ...runtime, name: declared.payoutCap, unitsMax: unitsOf(config.PAYOUTS_PER_HOUR_MAX) }),
    emergencyStop: createEmergencyStop({ ...runtime, service: 'payments', isStoppedBySetting: config.EMERGENCY_STOP }),
    settings: settingsOf(config, limits),
    clock,
    newId,
    log,
  };
  return { deps, worker, intents, describeCalls };
}

function eventDepsOf(deps: Deps): EventDeps {
  const needsConfirmation = deps.settings.payinConfirmation !== undefined;
  return {
    readEvent: readPaymentEvent,
    applyPayin: (update, ctx) => applyPayinUpdate(deps, { ...update, needsConfirmation }, ctx),
    applyPayout: (update, ctx) => applyPayoutUpdate(deps, update, ctx),
  };
}

function storesOf({
  config,
  database,
  wake,
}: ServiceRuntime<Settings>): Pick<Deps, 'topups' | 'withdrawals' | 'holds' | 'accounts' | 'testClocks'> {
  return {
    topups: topupStore(database),
    withdrawals: withdrawalStore(database),
    holds: holdStore(database),
    accounts: accountStore(database),
    testClocks: testClockStore({
      database,
      isSandbox: isSandbox(config.PAYMENT_PROVIDER_URL),
      onAdvanced: () => wake('poll-topups'),
    }),
  };
}

/** The ledger network and a large journal take longer than a call between services. */
const booksTimeoutMs = 30_000;

/** The stores and clients of cases and reports. */
function reconciliationDeps(runtime: ServiceRuntime<Settings>): Pick<Deps, 'cases' | 'bookings' | 'books' | 'reports'> {
  const { config, database, lifecycle, signer } = runtime;
  const client = (to: 'ledger-balance' | 'escrow-adapter', baseUrl: string) => {
    const created = createServiceClient({ from: 'payments', to, baseUrl, signer, timeoutMs: booksTimeoutMs });
    lifecycle.onStop(`${to} client of reconciliation`, created.close);
    return created;
  };
  const leases = createLeases({ database });
  lifecycle.onStop('lease of reconciliation', leases.stop);
  return {
    cases: caseStore(database),
    bookings: bookingStore(database),
    books: createBooksClient({
      ledger: client('ledger-balance', config.LEDGER_BALANCE_URL),
      adapter: client('escrow-adapter', config.ESCROW_ADAPTER_URL),
    }),
    reports: { ...reportStore(database, leases), measure: declared.reportMeasurement(runtime) },
  };
}

/** The other services of the platform that payments calls. */
function connectServices({ config, signer, lifecycle }: ServiceRuntime<Settings>) {
  const connect = (to: ServiceName, baseUrl: string): ServiceClient => {
    const client = createServiceClient({ from: 'payments', to, baseUrl, signer });
    lifecycle.onStop(`${to} client`, client.close);
    return client;
  };
  return {
    identity: connect('identity', config.IDENTITY_URL),
    ledger: connect('ledger-balance', config.LEDGER_BALANCE_URL),
    adapter: connect('escrow-adapter', config.ESCROW_ADAPTER_URL),
  };
}

function settingsOf(config: Settings, { recheckAfterMs }: PaymentsLimits): PaymentSettings {
  return {
    topupLimits: limitsOf(config.TOPUP_AMOUNT_MIN, config.TOPUP_AMOUNT_MAX),
    withdrawalLimits: limitsOf(config.WITHDRAWAL_AMOUNT_MIN, config.WITHDRAWAL_AMOUNT_MAX),
    withdrawalsPerMinuteMax: config.WITHDRAWALS_PER_MINUTE_MAX,
    timeoutMs: settlementTimeoutMsOf(config),
    unabortedAfterMs: config.SAGA_ABORT_AFTER_MS + sagaStalledAfterMsOf(config),
    publicUrl: config.PUBLIC_URL.replace(/\/$/, ''),
    topupsPerMinuteMax: config.TOPUPS_PER_MINUTE_MAX,
    topupReturnUrl: config.TOPUP_RETURN_URL,
    topupCancelUrl: config.TOPUP_CANCEL_URL,
    redirectHosts: config.REDIRECT_HOSTS?.split(',').map((host) => host.trim()),
    payinConfirmation: payinConfirmationOf(config),
    caseApprovalUnits: config.CASE_APPROVAL_AMOUNT === undefined ? undefined : parseUnits(config.CASE_APPROVAL_AMOUNT),
    payoutUnitsMax: unitsOf(config.PAYOUTS_PER_HOUR_MAX),
    resolveApprovalAmount: config.SAGA_RESOLVE_APPROVAL_AMOUNT,
    recheckAfterMs,
  };
}

function unitsOf(amount: string | undefined): bigint | undefined {
  return amount === undefined ? undefined : parseMoney(amount, baseCurrency).units;
}

function limitsOf(min: string, max: string): AmountLimits {
  return { minUnits: parseMoney(min, baseCurrency).units, maxUnits: parseMoney(max, baseCurrency).units };
}
