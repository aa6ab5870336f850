import { randomUUID } from 'node:crypto';
import { abortRun } from '@holdfast/messaging/saga-runs';
import type { KnownUsers } from '@holdfast/service-host/known-users';
import type { ServiceRuntime } from '@holdfast/service-host';
import {
  createIntentWorker,
  createStoreIntentOnce,
  intentStore,
  insertIntentIfNew,
  type EmergencyStop,
  type IntentStore,
  type IntentWorker,
  type IntentWorkerLimits,
  type Leases,
} from '@holdfast/intents';
import { intentRequestStore } from './store/intent-request-store.js';
import { contractStore } from './store/contract-store.js';
import { eventStore } from './store/event-store.js';
import { createIntentWriteBatcher } from './store/intent-write-batcher.js';
import { resolutionStore } from './store/resolution-store.js';
import { createTransactions, type TransactionDeps } from './transactions/session.js';
import { submitToNetwork, unlessStopped } from './transactions/submitters.js';
import { payoutWriter } from './store/payout-write.js';
import { transactionStore } from './transactions/transaction-store.js';
import { intentKinds, type Contracts, type Deps, type EscrowProvider, type NewEscrowMessage } from './use-cases/ports.js';
import type { ResolutionDeps } from './use-cases/resolution-ports.js';
import { createUnsignedChecks } from './use-cases/unsigned-checks.js';
import type { WalletsModule } from './wallets/ports.js';
import { intentHandlers } from './intent-handlers.js';

export type AdapterOptions = {
  readonly runtime: Pick<ServiceRuntime, 'database' | 'outbox' | 'clock' | 'newId' | 'log' | 'metrics'>;
  readonly walletsModule: Pick<
    WalletsModule,
    'wallets' | 'sign' | 'payments' | 'network' | 'storesUnpublished' | 'prepareWallet'
  >;
  readonly provider: EscrowProvider;
  /** Leases of source accounts. */
  readonly leases: Leases;
  readonly emergencyStop: EmergencyStop;
  /** Counts what the treasury spends; see `TransactionDeps`. */
  readonly beginSpending: TransactionDeps['beginSpending'];
  readonly users: Pick<KnownUsers, 'handleUserChanged' | 'knownVersion'>;
  readonly unconfirmedMsMax: number;
  readonly approvalAmount?: string | undefined;
  readonly resolvableAfterMs: number;
  readonly workerLimits?: Partial<IntentWorkerLimits>;
  readonly leaseMs?: number;
};

export type Adapter = { readonly deps: ResolutionDeps; readonly worker: IntentWorker; readonly intents: IntentStore };

/** The lease of an intent expires after this time, and another process may claim it. */
const leaseMsDefault = 15_000;

/** Builds the dependencies of the contract use cases and the worker that runs their intents. */
export function createAdapter(options: AdapterOptions): Adapter {
  const { walletsModule, provider, emergencyStop, users, unconfirmedMsMax, leaseMs = leaseMsDefault } = options;
  const { database, outbox, clock, newId, log, metrics } = options.runtime;
  const { wallets, payments, network, storesUnpublished, prepareWallet } = walletsModule;
  const owner = randomUUID();
  const intents = intentStore({ database, owner, leaseMs });
  const commit = createIntentWriteBatcher({ database, clock, storesUnpublished });
  const { transactions, paymentTransactions } = transactionsOf(options);
  const contracts = contractStore(database);
  const ignoredEvents = metrics.counter(
    'provider_events_ignored_total',
    'Signed provider events of an unknown type or format, stored and ignored',
  );
  const worker: IntentWorker = createIntentWorker({
    store: intents,
    handlers: intentHandlers(() => deps, emergencyStop),
    log,
    ...(options.workerLimits === undefined ? {} : { limits: options.workerLimits }),
  });
  const lease = { owner, seconds: leaseMs / 1_000 };
  const addIntent = insertIntentIfNew(() => worker);
  const { saveWorkerState, isClosedBy, existsForRun, findOpen } = intents;
  const deps: ResolutionDeps = {
    inTransaction: database.inTransaction,
    commit,
    storeIntentOnce: createStoreIntentOnce({ database, outbox, intents, worker, priorities: intentKinds }),
    intentRequests: intentRequestStore({ database, worker, lease }),
    addPayout: (intent) => database.inTransaction((tx) => addIntent(tx, intent)),
    closePayout: payoutWriter({ database, intents, clock, storesUnpublished }),
    publishPayoutReply: (tx, message) =>
      outbox.add(tx, message.declaration, { ...messageOf(message, message.withdrawalId), aggregateVersion: 1 }),
    transactions,
    paymentTransactions,
    payments,
    contracts,
    events: eventStore({ database, clock }),
    unsignedChecks: createUnsignedChecks(clock),
    onEventIgnored: () => ignoredEvents.inc(),
    provider,
    wallets,
    network,
    users,
    emergencyStop,
    publish: publisherOf(outbox, contracts),
    republish: outbox.addEnvelopes,
    intents: { wake: worker.wake, saveWorkerState, isClosedBy, existsForRun, findOpen },
    aborts: {
      abort: (tx, given) => abortRun(tx, outbox, { ...given, consumer: 'escrow-adapter' }),
    },
    resolutions: resolutionStore({ database, clock, storesUnpublished }),
    prepareWallet,
    clock,
    newId,
    log,
    unconfirmedMsMax,
    approvalAmount: options.approvalAmount,
    resolvableAfterMs: options.resolvableAfterMs,
  };
  return { deps, worker, intents };
}

/** The provider submits its own transactions; payments go to the network directly. */
function transactionsOf({ runtime, walletsModule, provider, leases, emergencyStop, beginSpending }: AdapterOptions) {
  const { sign, network, storesUnpublished } = walletsModule;
  const common = {
    store: transactionStore({ database: runtime.database, storesUnpublished }),
    leases,
    network,
    sign,
    assertNotStopped: emergencyStop.assertNotStopped,
    beginSpending,
    networkPassphrase: network.networkPassphrase,
  };
  return {
    transactions: createTransactions({ ...common, submitter: unlessStopped(provider, emergencyStop) }),
    paymentTransactions: createTransactions({
      ...common,
      submitter: unlessStopped(submitToNetwork(network), emergencyStop),
    }),
  };
}

function publisherOf(outbox: AdapterOptions['runtime']['outbox'], contracts: Pick<Contracts, 'nextVersion'>): Deps['publish'] {
  return async (tx, message) => {
    const aggregateVersion = message.version ?? (await contracts.nextVersion(tx, message.escrowId));
    return outbox.add(tx, message.declaration, { ...messageOf(message, message.escrowId), aggregateVersion });
  };
}

/** Another service counts its own messages about the same aggregate; `aggregatePart` keeps the two sequences of versions apart. */
function messageOf(message: Omit<NewEscrowMessage, 'escrowId'>, aggregateId: string) {
  const { id, payload, marketplaceId, correlationId, causationId, afterEventId } = message;
  const { saga, sagaRunId } = message;
  return {
    aggregateId,
    aggregatePart: 'escrow-adapter',
    marketplaceId,
    correlationId,
    payload,
    id,
    causationId,
    afterEventId,
    ...(saga === undefined ? {} : { saga }),
    ...(sagaRunId === undefined ? {} : { sagaRunId }),
  };
}
