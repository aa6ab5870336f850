import { toEpochMs } from '@holdfast/kernel/context';
import { knownUsers } from '@holdfast/service-kit/known-users';
import { handleOnce } from '@holdfast/messaging/inbox';
import { createServiceClient } from '@holdfast/http/service-client';
import { defineService, type ServiceRuntime } from '@holdfast/service-kit';
import type { Job } from '@holdfast/work';
import { settings, type Settings } from './config.js';
import { routesOf } from './http/routes.js';
import { consumersOf } from './messages/consumers.js';
import * as declared from './metrics.js';
import { createPaymentsClient } from './providers/payments-client.js';
import { createWalletClient } from './providers/wallet-client.js';
import { createAccountDirectory, type AccountDirectory } from './store/account-directory.js';
import { accountHistory } from './store/account-history.js';
import { balanceStore } from './store/balance-store.js';
import { custodyWriter, pruneRecentLegs, walletReader } from './store/custody-store.js';
import { journalReader } from './store/journal-reader.js';
import { runAborter } from './store/run-aborter.js';
import { createPoster } from './store/poster.js';
import { checkLedger } from './store/check-ledger.js';
import { entities } from './store/schema.js';
import { statementStore } from './store/statement-store.js';
import { publishAdjustment } from './store/publish-adjustment.js';
import { publishDifference } from './store/publish-difference.js';
import { exportPlaces } from './use-cases/export-places.js';
import { eventOf } from './use-cases/balance-events.js';
import type { Deps, LedgerReport } from './use-cases/ports.js';
import { verifyLedger } from './use-cases/verify-ledger.js';

/** escrow-adapter and payments call their providers, which takes longer than a call between services. */
const toProvider = { from: 'ledger-balance', timeoutMs: 12_000 } as const;

/** Statements that are sent as files at a time. Each keeps a connection of the gateway busy for as long as its client reads. */
const exportLimits = { totalMax: 8, perMarketplaceMax: 4 } as const;

/** The service that owns the journal, the balances and the reservations. */
export const ledgerBalance = defineService({
  name: 'ledger-balance',
  migrations: new URL('../migrations', import.meta.url),
  settings,
  entities,
  metrics: declared.metrics,
  create: (runtime) => {
    const deps = depsOf(runtime);
    return { routes: routesOf(deps), consumers: consumersOf(deps), jobs: [verifyJob(runtime, deps), pruneJob(runtime)] };
  },
});

function depsOf(runtime: ServiceRuntime<Settings>): Deps {
  const { config, database, outbox, clock, newId, metrics, lifecycle, signer } = runtime;
  const directory = createAccountDirectory();
  const poster = createPoster({
    database,
    directory,
    outbox,
    eventOf,
    clock,
    newId,
    batchSizes: metrics.histogram(declared.batchPostings),
    commitSeconds: metrics.histogram(declared.commitDuration),
  });
  lifecycle.onStop('poster', poster.drain);
  const identity = createServiceClient({ from: 'ledger-balance', to: 'identity', baseUrl: config.IDENTITY_URL, signer });
  lifecycle.onStop('identity client', identity.close);
  return {
    post: poster.post,
    abortRun: runAborter(database, outbox),
    balances: balanceStore(database),
    accountHistory: accountHistory(database),
    statements: statementStore(database),
    takeExportPlace: exportPlaces(exportLimits),
    journal: journalReader(database),
    users: knownUsers({ service: 'ledger-balance', database, identity, clock }),
    wallets: walletsOf(runtime, directory),
    payments: paymentsOf(runtime),
    publishAdjustment: publishAdjustment(database, outbox),
    ...ledgerChecks(runtime),
  };
}

/** Each process keeps what its last check has found. */
function ledgerChecks({ database, clock }: ServiceRuntime<Settings>): Pick<Deps, 'checkLedger' | 'lastCheck'> {
  let last: LedgerReport | undefined;
  return {
    checkLedger: async () => {
      last = await checkLedger(database, clock);
      return last;
    },
    lastCheck: () => last,
  };
}

function walletsOf(runtime: ServiceRuntime<Settings>, directory: AccountDirectory): Deps['wallets'] {
  const { config, database, outbox, clock, newId, lifecycle, signer } = runtime;
  const baseUrl = config.ESCROW_ADAPTER_URL;
  const adapter = createServiceClient({ ...toProvider, to: 'escrow-adapter', baseUrl, signer });
  lifecycle.onStop('adapter client', adapter.close);
  return {
    ...createWalletClient(adapter),
    ledgerHoldings: walletReader(database),
    publishDifference: publishDifference(database, outbox),
    handleTransactionsLanded: handleOnce({ database, consumer: 'ledger-balance' }, custodyWriter({ directory, clock, newId })),
  };
}

function paymentsOf({ config, lifecycle, signer }: ServiceRuntime<Settings>): Deps['payments'] {
  const payments = createServiceClient({ ...toProvider, to: 'payments', baseUrl: config.PAYMENTS_URL, signer });
  lifecycle.onStop('payments client', payments.close);
  return createPaymentsClient(payments);
}

const pruneEveryMs = 600_000;

function pruneJob({ database }: ServiceRuntime<Settings>): Job {
  return {
    name: 'prune-recent-custody',
    everyMs: pruneEveryMs,
    run: (signal) => pruneRecentLegs(database, signal),
  };
}

const unitsPerWhole = 10_000_000;

/** Runs the ledger check in the background. The discrepancy gauge is zero while the ledger is consistent. */
function verifyJob({ config, metrics, log }: ServiceRuntime<Settings>, deps: Deps): Job {
  const discrepancies = metrics.gauge(declared.discrepancies);
  const transfers = metrics.gauge(declared.checkedTransfers);
  const verifiedAt = metrics.gauge(declared.checkTimestamp);
  const books = metrics.gauge(declared.bookTokens);
  return {
    name: 'verify-ledger',
    everyMs: config.LEDGER_VERIFY_EVERY_MS,
    run: async () => {
      const report = await verifyLedger(deps, log);
      discrepancies.set(report.discrepancies.length);
      transfers.set(Number(report.transfers));
      for (const { book, currency, units } of report.books) books.set({ book, currency }, Number(units) / unitsPerWhole);
      verifiedAt.set(toEpochMs(report.checkedAt) / 1_000);
    },
  };
}
