import { randomUUID } from 'node:crypto';
import { isId } from '@holdfast/kernel/ids';
import { abortRun } from '@holdfast/sagas/runs';
import type { KnownUsers } from '@holdfast/service-kit/known-users';
import type { ServiceRuntime } from '@holdfast/service-kit';
import {
  createIntentWorker,
  createStoreIntentOnce,
  intentStore,
  insertIntentIfNew,
  type Intent,
  type IntentStore,
  type IntentWorker,
  type IntentWorkerLimits,
} from '@holdfast/intents';
import { type EmergencyStop } from '@holdfast/intents/provider-controls';
import { type Leases } from '@holdfast/intents/leases';
import * as declared from './metrics.js';
import { intentRequestStore } from './store/intent-request-store.js';
import { contractExpectations, tokenContracts } from './signing/contract-expectations.js';
import type { ContractNetwork } from './signing/expectation.js';
import { contractStore } from './store/contract-store.js';
import { eventStore } from './store/event-store.js';
import { createIntentWriteBatcher } from './store/intent-write-batcher.js';
import { resolutionStore } from './store/resolution-store.js';
import { withHistory } from './transactions/evidence-in-history.js';
import { createTransactions, type TransactionDeps } from './transactions/session.js';
import type { SubmissionLimits } from './transactions/submission.js';
import { payoutWriter } from './store/payout-write.js';
import { transactionStore } from './transactions/transaction-store.js';
import type { LedgerRpc } from './use-cases/network-ports.js';
import {
  intentKinds,
  type Contracts,
  type Deps,
  type EscrowProvider,
  type NewEscrowMessage,
  type OpenTransaction,
  type Transactions,
} from './use-cases/ports.js';
import type { ResolutionDeps } from './use-cases/resolution-ports.js';
import { intentDeadlines, type DeadlineLimits, type IntentDeadlines } from './use-cases/intent-deadlines.js';
import { createUnsignedChecks } from './use-cases/unsigned-checks.js';
import type { WalletsModule } from './wallets/ports.js';
import { intentHandlers, type HandlerLimits } from './intent-handlers.js';

export type AdapterOptions = {
  readonly runtime: Pick<ServiceRuntime, 'database' | 'outbox' | 'clock' | 'newId' | 'log' | 'metrics' | 'lifecycle'>;
  readonly walletsModule: Pick<
    WalletsModule,
    'wallets' | 'sign' | 'feeBumps' | 'payments' | 'network' | 'changeLifetimes' | 'prepareWallet' | 'handleCaseResolved'
  >;
  readonly provider: EscrowProvider;
  readonly rpc: LedgerRpc;
  /** Leases of source accounts. */
  readonly leases: Leases;
  readonly emergencyStop: EmergencyStop;
  /** See `LineCheck`. */
  readonly assertLinesChecked: () => void;
  /** Counts what the treasury spends; see `TransactionDeps`. */
  readonly beginSpending: TransactionDeps['beginSpending'];
  readonly users: Pick<KnownUsers, 'handleUserChanged' | 'knownVersion'>;
  readonly contractNetwork: ContractNetwork;
  readonly usdcIssuer: string;
  readonly approvalAmount?: string | undefined;
  readonly resolvableAfterMs: number;
  readonly deadlines: DeadlineLimits;
  readonly workerLimits?: Partial<IntentWorkerLimits>;
  readonly leaseMs?: number;
  /** Only tests wait for less. */
  readonly handlerLimits?: HandlerLimits | undefined;
  readonly submissionLimits?: SubmissionLimits | undefined;
};

export type Adapter = { readonly deps: ResolutionDeps; readonly worker: IntentWorker; readonly intents: IntentStore };

/** The lease of an intent expires after this time, and another process may claim it. */
const leaseMsDefault = 15_000;

/** Builds the dependencies of the contract use cases and the worker that runs their intents. */
export function createAdapter(options: AdapterOptions): Adapter {
  const { walletsModule, provider, emergencyStop, users, contractNetwork, leaseMs = leaseMsDefault } = options;
  const { database, outbox, clock, newId, log, metrics } = options.runtime;
  const { wallets, payments, network, changeLifetimes, prepareWallet, handleCaseResolved } = walletsModule;
  const deadlines = intentDeadlines(clock, options.deadlines);
  const owner = randomUUID();
  const intents = intentStore({ database, owner, leaseMs });
  const commit = createIntentWriteBatcher({ database, clock });
  const contracts = contractStore(database);
  const worker: IntentWorker = createIntentWorker({
    store: intents,
    handlers: intentHandlers(() => deps, emergencyStop, options.handlerLimits),
    log,
    ...(options.workerLimits === undefined ? {} : { limits: options.workerLimits }),
  });
  const lease = { owner, seconds: leaseMs / 1_000 };
  const addIntent = insertIntentIfNew(() => worker);
  const { saveWorkerState, isClosedBy, existsForRun, findOpen, requestOfOpen } = intents;
  const deps: ResolutionDeps = {
    inTransaction: database.inTransaction,
    commit,
    storeIntentOnce: createStoreIntentOnce({ database, outbox, intents, worker, priorities: intentKinds }),
    intentRequests: intentRequestStore({ database, worker, lease }),
    addPayout: (intent) => database.inTransaction((tx) => addIntent(tx, intent)),
    closePayout: payoutWriter({ database, intents, clock }),
    publishPayoutReply: (tx, message) =>
      outbox.add(tx, message.declaration, { ...messageOf(message, message.withdrawalId), aggregateVersion: 1 }),
    transactions: transactionsOf(options, deadlines),
    deadlines,
    payments,
    expectations: contractExpectations(contractNetwork, tokenContracts(contractNetwork.networkPassphrase, options.usdcIssuer)),
    contracts,
    events: eventStore({ database, clock }),
    unsignedChecks: createUnsignedChecks(clock),
    ...countersOf(metrics),
    provider,
    rpc: options.rpc,
    usdcIssuer: options.usdcIssuer,
    wallets,
    changeLifetimes,
    network,
    users,
    emergencyStop,
    publish: publisherOf(outbox, contracts),
    republish: outbox.addEnvelopes,
    intents: { wake: worker.wake, saveWorkerState, isClosedBy, existsForRun, findOpen, requestOfOpen },
    aborts: {
      abort: (tx, given) => abortRun(tx, outbox, { ...given, consumer: 'escrow-adapter' }),
    },
    resolutions: resolutionStore({ database, clock }),
    prepareWallet,
    handleCaseResolved,
    clock,
    newId,
    log,
    approvalAmount: options.approvalAmount,
    resolvableAfterMs: options.resolvableAfterMs,
  };
  return { deps, worker, intents };
}

type Counters = Pick<Deps, 'onEventIgnored' | 'onSigningRefused' | 'onLifetimesChanged'>;

function countersOf(metrics: AdapterOptions['runtime']['metrics']): Counters {
  const ignoredEvents = metrics.counter(declared.providerEventsIgnored);
  const refusedSignings = metrics.counter(declared.signingRefused);
  const lifetimes = {
    extend: metrics.counter(declared.contractsExtended),
    restore: metrics.counter(declared.contractsRestored),
  };
  return {
    onEventIgnored: () => ignoredEvents.inc(),
    onSigningRefused: (operation) => refusedSignings.inc({ operation }),
    onLifetimesChanged: (does, contracts) => lifetimes[does].inc(contracts),
  };
}

function transactionsOf(options: AdapterOptions, deadlines: IntentDeadlines): Transactions {
  const { runtime, walletsModule, provider, leases, emergencyStop, beginSpending, submissionLimits } = options;
  const { database, metrics, log, lifecycle } = runtime;
  const { sign, feeBumps, network } = walletsModule;
  const tokens = tokenContracts(options.contractNetwork.networkPassphrase, options.usdcIssuer);
  const rpc = withHistory({ rpc: options.rpc, network, tokens });
  const mismatches = metrics.counter(declared.settlementMismatches);
  return createTransactions({
    store: transactionStore({ database }),
    leases,
    rpc,
    feeBumps,
    onMismatch: ({ hash, step }, reason) => {
      mismatches.inc({ step: step.split(':')[0] ?? step });
      log.error({ hash, step, reason }, 'landed transaction has moved something else than it must');
    },
    onLanded: (transaction, intent) => {
      if (transaction.transfers === null) return;
      lifecycle.background('information of the escrow provider', informIndexer(provider, transaction, intent));
    },
    deadlines,
    sign,
    assertNotStopped: async () => {
      options.assertLinesChecked();
      await emergencyStop.assertNotStopped();
    },
    beginSpending,
    limits: submissionLimits,
  });
}

/** Funding follows a deployment, so the provider is informed with the priority of a funding. */
function informIndexer(provider: EscrowProvider, { hash, step }: OpenTransaction, intent: Intent): Promise<void> {
  const { marketplaceId, subject } = intent;
  if (!isId(subject, 'esc')) return Promise.resolve();
  const isNeeded = step === 'deploy';
  const priority = isNeeded ? intentKinds.fund : optionalPriority;
  return provider.informIndexer(hash, { escrowId: subject, marketplaceId, priority, isNeeded });
}

/** After all calls of intents. */
const optionalPriority = 10;

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
