import { randomUUID } from 'node:crypto';
import {
  createAbortRun,
  createIntentWorker,
  createStoreIntentOnce,
  insertIntent,
  intentsMigrations,
  intentStore,
  type IntentStore,
  type IntentWorker,
  type IntentWorkerLimits,
} from '@holdfast/intents';
import { AppError } from '@holdfast/kernel/errors';
import { isId } from '@holdfast/kernel/ids';
import { ledgerPayments } from '@holdfast/ledger-network/building';
import { createFeeBumps } from '@holdfast/ledger-network/fee-bumps';
import { createSigner, type Signing } from '@holdfast/ledger-network/signing';
import type { SubmissionLimits } from '@holdfast/ledger-network/submission';
import { defineService, type ServiceRuntime } from '@holdfast/service-kit';
import { settlementTimeoutMsOf } from '@holdfast/process/config';
import type { KnownUsers } from '@holdfast/service-kit/known-users';
import { createWebhookInbox, webhookInboxMigrations } from '@holdfast/webhook-inbox';
import { activationsPerHourMaxOf, historyBeginningOf, identityOf, settings, signingSettingsOf, type Settings } from './config.js';
import { operatorRoutes } from './http/operator-routes.js';
import { routesOf } from './http/routes.js';
import { walletRoutes } from './http/wallet-routes.js';
import { consumersOf } from './messages/consumers.js';
import { intentHandlers, type HandlerLimits } from './messages/intent-handlers.js';
import { activateJob, contractJobs, walletJobs } from './messages/jobs.js';
import * as measured from './metrics.js';
import * as providers from './providers/index.js';
import * as stores from './store/index.js';
import { contractAdoption } from './use-cases/custody/adopt-contracts.js';
import { followNetwork } from './use-cases/custody/follow-network.js';
import { openingBalances } from './use-cases/custody/opening-balances.js';
import { dueProofs } from './use-cases/custody/due-proofs.js';
import { createProver } from './use-cases/custody/prover.js';
import { beginHistory } from './use-cases/custody/watcher.js';
import type { ContractRpc } from './use-cases/entry-ports.js';
import { handleProviderEvent, unconfirmedAttemptsMax } from './use-cases/handle-provider-event.js';
import { giveUpAfterMsOf, intentDeadlines, type DeadlineLimits } from './use-cases/intent-deadlines.js';
import { intentKinds } from './use-cases/ports.js';
import type { ResolutionDeps } from './use-cases/resolution-ports.js';
import { createActivation } from './use-cases/treasury/activation.js';
import { maintainTreasury } from './use-cases/treasury/maintain-treasury.js';
import { sweptUnitsMin } from './use-cases/treasury/sweep-wallets.js';
import { createUnsignedChecks } from './use-cases/unsigned-checks.js';
import type { Wallets } from './use-cases/wallets/ports.js';

type Runtime = ServiceRuntime<Settings>;

/** Only tests have limits of their own. */
export type Limits = {
  readonly handlerLimits?: HandlerLimits | undefined;
  readonly submissionLimits?: SubmissionLimits | undefined;
};

/** Holds wallets and keys, and executes escrow contracts at the escrow provider and on the ledger network. */
export const escrowAdapter = escrowAdapterWith({});

export function escrowAdapterWith(limits: Limits) {
  return defineService({
    name: 'escrow-adapter',
    sharedMigrations: [intentsMigrations, webhookInboxMigrations],
    migrations: new URL('../migrations', import.meta.url),
    settings,
    entities: stores.entities,
    metrics: measured.metrics,
    create: async (runtime) => {
      const { config, log, lifecycle } = runtime;
      const guards = providers.createGuards(runtime, stores.isUsedByOthers);
      const rpc = providers.openRpc(runtime);
      const versions = providers.createVersionCheck({ rpc, network: providers.contractNetworkOf(config), log });
      await versions.start();
      const given = { ...guards, ...limits, rpc, users: providers.connectUsers(runtime) };
      const wallets = await createWallets(runtime, given);
      const { assertChecked: assertVersionsChecked } = versions;
      const options = optionsOf(runtime);
      const contracts = createContracts(runtime, { ...options, ...given, ...wallets, assertVersionsChecked });
      lifecycle.onStop('intent worker', contracts.worker.stop);
      const { ESCROW_PROVIDER_URL: escrowProvider, LEDGER_HORIZON_URL: ledgerNetwork } = config;
      const health = providers.createProviderStates({ escrowProvider, ledgerNetwork });
      const network = stores.networkReader(runtime.database);
      const limited = { webhookSecret: config.ESCROW_WEBHOOK_SECRET, spendingPerHourMax: config.TREASURY_SPENDING_PER_HOUR_MAX };
      const describeCalls = { escrowProvider: options.provider.describeCalls, ledgerNetwork: wallets.describeCalls };
      const operated = { ...guards, ...wallets, providers: health, describeCalls };
      const contractPart = routesOf({ ...limited, deps: contracts.deps, providers: health, network });
      return {
        routes: [...contractPart, ...wallets.routes, ...operatorRoutes(operated)],
        consumers: consumersOf(contracts.deps),
        jobs: [
          ...contracts.worker.jobs,
          ...contractJobs(runtime, contracts),
          ...wallets.jobs,
          health.job,
          guards.emergencyStop.job,
          versions.job,
        ],
      };
    },
  });
}

type WalletsGiven = providers.Guards & Limits & { readonly rpc: ContractRpc; readonly users: Pick<KnownUsers, 'require'> };

export type WalletsPart = Awaited<ReturnType<typeof createWallets>>;

/** Wallets with their keys, the treasury, and what follows the network's history. */
export async function createWallets(runtime: Runtime, given: WalletsGiven) {
  const { config, database, outbox, clock, newId, log, lifecycle } = runtime;
  const usdcIssuer = config.USDC_ISSUER;
  const store = stores.walletStore({ database, outbox });
  const { holdingsOf } = store;
  const { accounts, walletKeys: keys, sign, signForTreasury, signFeeBump } = signingOf(runtime, given, store.findSealed);
  await stores.assertSameInstallation(database, identityOf(config, accounts), keys);
  const horizon = await providers.openHorizon(runtime);
  const bidUnitsMax = BigInt(config.LEDGER_FEE_BID_MAX);
  const bumping = { ...given, ...measured.feeBumpMetrics(runtime), signFeeBump, bidUnitsMax, clock, log };
  const feeBumps = createFeeBumps(bumping);
  const treasury = treasuryOf(runtime, { ...given, ...horizon, accounts, feeBumps, signForTreasury });
  const { whenActive } = treasury.activation;
  const directory = stores.walletDirectory({ store, keys, whenActive, clock, newId });
  const custody = await custodyOf(runtime, { ...given, ...horizon, accounts, holdingsOf });
  await maintainTreasury(treasury.maintenance).catch((error: unknown) => log.warn({ error }, 'treasury maintenance incomplete'));
  const { watched, movingAt, following } = custody;
  const addresses = stores.custodyAddresses(accounts, { wallets: store, watched });
  const addressOf = stores.addressForIntents(directory);
  const approvalAmount = config.TREASURY_TRANSFER_APPROVAL_AMOUNT;
  return {
    wallets: { ...addresses, ...treasury.paying, addressOf, holdingsOf, movingAt, followTo: following.followTo },
    payments: ledgerPayments({ network: horizon.network, usdcIssuer, clock }),
    sign,
    feeBumps,
    network: horizon.network,
    changeLifetimes: treasury.submitter.changeLifetimes,
    handleCaseResolved: stores.caseResolvedHandler(database),
    prepareWallet: stores.walletPreparation(directory, { background: lifecycle.background, log }),
    treasury: treasury.described,
    describeCalls: horizon.describeCalls,
    routes: walletRoutes({
      ...given,
      ...horizon,
      ...custody,
      ...addresses,
      directory,
      newId,
      usdcIssuer,
      links: stores.linkedWalletStore({ database, outbox }),
      poll: following.pollNow,
      treasury: { database, outbox, transfersIn: stores.expectedTransfersIn, approvalAmount },
      activationWaitMsMax: settlementTimeoutMsOf(config),
      networkName: config.LEDGER_NETWORK_NAME,
      sandbox: providers.connectSandbox(runtime),
    }),
    jobs: [...walletJobs(config, { ...treasury, ...custody, directory }), feeBumps.job],
  };
}

type FindSealed = ReturnType<typeof stores.walletStore>['findSealed'];

/** The signer stays in this file; the rest of the service gets the functions that sign. */
function signingOf({ config, clock, metrics }: Runtime, { emergencyStop }: providers.Guards, find: FindSealed): Signing {
  const { secrets, limits } = signingSettingsOf(config);
  const { LEDGER_NETWORK_PASSPHRASE: networkPassphrase, USDC_ISSUER: usdcIssuer } = config;
  const findSealed = async (owner: string) => {
    const sealed = isId(owner, 'usr') ? await find(owner) : undefined;
    if (sealed === undefined) throw new AppError('WALLET_NOT_FOUND', { userId: owner });
    return sealed;
  };
  const { assertNotStopped } = emergencyStop;
  const onDecoded = measured.onDecoded({ metrics });
  return createSigner(secrets, { ...limits, networkPassphrase, usdcIssuer, clock, assertNotStopped, onDecoded, findSealed });
}

type TreasuryGiven = Omit<Parameters<typeof providers.connectTreasury>[1], 'store'>;

/** Activates and sweeps wallets, keeps the treasury's own accounts filled, and pays. */
function treasuryOf(runtime: Runtime, given: TreasuryGiven) {
  const { config, database, wake } = runtime;
  const store = stores.treasuryStore(database, () => wake(activateJob));
  const treasury = providers.connectTreasury(runtime, { ...given, store });
  const sweepable = stores.sweepStore(database, { everyMs: config.WALLET_SWEEP_EVERY_MS, xlmAbove: sweptUnitsMin.XLM });
  return {
    ...treasury,
    hasWaiting: async () => (await store.waiting(1)).length > 0,
    activation: createActivation({ ...treasury.activation, perHourMax: activationsPerHourMaxOf(config) }),
    sweep: { ...treasury.sweep, ...sweepable, holdingsOf: stores.uncreditedStore(database).holdingsOf },
  };
}

type CustodyGiven = WalletsGiven & providers.Horizon & Pick<Signing, 'accounts'> & Pick<Wallets, 'holdingsOf'>;

/** Follows the network's history and books it. The history begins before anything else happens on the network. */
async function custodyOf(runtime: Runtime, given: CustodyGiven) {
  const { config, database, broker, clock, log, lifecycle } = runtime;
  const { rpc, accounts } = given;
  const platformPlaces = stores.platformPlaces(accounts);
  const store = stores.custodyStores(runtime, { ...given, platformPlaces });
  const readOpening = openingBalances({ rpc, platformPlaces });
  await beginHistory({ store: store.watched, readOpening }, historyBeginningOf(config));
  const giveUpAfterMs = config.DEPOSIT_UNCONFIRMED_AFTER_MS;
  const metrics = measured.proverMetrics(runtime);
  const prove = createProver({ ...given, store: store.claims, giveUpAfterMs, clock, log, metrics });
  const adoptContracts = contractAdoption({
    rpc,
    expectations: providers.expectationsOf(config),
    contracts: stores.contractStore(database),
    platformAddress: accounts.platform,
    log,
  });
  const proofs = dueProofs({ prove, nextDueInMs: store.claims.nextDueInMs, clock });
  const stopListening = broker.onNotification([stores.claimedTopic], proofs.onClaimed);
  const watching = {
    store: store.watched,
    prove: proofs.prove,
    adoptContracts,
    clock,
    log,
    metrics: measured.watcherMetrics(runtime),
  };
  const following = followNetwork({ ...given, ...watching, signal: lifecycle.signal });
  lifecycle.onStop('ledger follower', async () => {
    stopListening();
    await following.stop();
  });
  return { ...store, following, prove };
}

type OfWallets =
  'wallets' | 'sign' | 'feeBumps' | 'payments' | 'network' | 'changeLifetimes' | 'prepareWallet' | 'handleCaseResolved';

export type ContractOptions = Pick<WalletsPart, OfWallets> &
  Omit<providers.Guards, 'describeCaps'> &
  Limits &
  Pick<ResolutionDeps, 'provider' | 'rpc' | 'users' | 'expectations' | 'approvalAmount' | 'resolvableAfterMs'> & {
    readonly usdcIssuer: string;
    /** See `VersionCheck`. */
    readonly assertVersionsChecked: () => void;
    readonly deadlines: DeadlineLimits;
    readonly workerLimits?: Partial<IntentWorkerLimits>;
    /** The lease of an intent expires after this time, and another process may claim it. */
    readonly leaseMs: number;
  };

function optionsOf(runtime: Runtime) {
  const { config, lifecycle } = runtime;
  const waitMsMax = config.SAGA_ABORT_AFTER_MS;
  return {
    provider: providers.connectEscrowProvider(runtime),
    expectations: providers.expectationsOf(config),
    usdcIssuer: config.USDC_ISSUER,
    approvalAmount: config.SAGA_RESOLVE_APPROVAL_AMOUNT,
    resolvableAfterMs: waitMsMax,
    deadlines: { giveUpAfterMs: giveUpAfterMsOf(settlementTimeoutMsOf(config)), waitMsMax },
    workerLimits: { runningMax: config.ESCROW_INTENTS_CONCURRENT_MAX, stopGraceMs: lifecycle.stopGraceMs },
    leaseMs: 15_000,
  };
}

export type Contracts = { readonly deps: ResolutionDeps; readonly worker: IntentWorker; readonly intents: IntentStore };

type ContractRuntime = Omit<Runtime, 'config' | 'broker' | 'signer' | 'deriveKey'>;

/** The dependencies of the contract use cases, and the worker that runs their intents. */
export function createContracts(runtime: ContractRuntime, options: ContractOptions): Contracts {
  const { database, outbox, clock, newId, log, wake, wakeReplicas } = runtime;
  const { leaseMs, workerLimits: limits = {}, emergencyStop } = options;
  const { provider, rpc, users, expectations, approvalAmount, resolvableAfterMs } = options;
  const { wallets, payments, network, changeLifetimes, prepareWallet, handleCaseResolved } = options;
  const intents = intentStore({ database, owner: randomUUID(), leaseMs });
  const handlers = intentHandlers(() => deps, emergencyStop, options.handlerLimits);
  const worker = createIntentWorker({ store: intents, handlers, log, limits, wake, wakeReplicas });
  const contracts = stores.contractStore(database);
  const deadlines = intentDeadlines(clock, options.deadlines);
  const transactions = { ...options, store: stores.transactionStore({ database, outbox }), deadlines };
  const deps: ResolutionDeps = {
    ...{ provider, rpc, users, expectations, approvalAmount, resolvableAfterMs, emergencyStop },
    ...{ wallets, payments, network, changeLifetimes, prepareWallet, handleCaseResolved },
    ...{ contracts, deadlines, clock, newId, log },
    ...measured.contractMetrics(runtime),
    ...stores.messagePublishers(outbox, contracts),
    inTransaction: database.inTransaction,
    storeIntent: insertIntent(() => worker),
    storeIntentOnce: createStoreIntentOnce({ ...runtime, intents, worker, priorities: intentKinds }),
    transactions: providers.contractTransactions(runtime, transactions),
    eventSubjects: stores.eventSubjects(database),
    inbox: createWebhookInbox({ ...runtime, handle: (event) => handleProviderEvent(deps, event), unconfirmedAttemptsMax }),
    unsignedChecks: createUnsignedChecks(clock),
    intents: stores.contractIntents(intents, worker),
    abortRun: createAbortRun(outbox, intents),
    intentSubjects: stores.contractSubjects(contracts),
    resolutions: stores.resolutionStore({ database, clock }),
  };
  return { deps, worker, intents };
}
