import { z } from 'zod';
import type { Broker } from '@holdfast/messaging/broker';
import { systemClock, type Clock } from '@holdfast/kernel/context';
import type { Envelope, MessageDeclaration, Payload } from '@holdfast/contracts/messages';
import { defaultMarketplaceId, idFactory, type NewId } from '@holdfast/kernel/ids';
import { createLifecycle } from '@holdfast/process/lifecycle';
import { defineService, startService, type RunningService, type ServiceRuntime } from '@holdfast/service-kit';
import { webhookInboxMigrations } from '@holdfast/webhook-inbox';
import { eventually } from '@holdfast/testing/eventually';
import { silentLog } from '@holdfast/testing/log';
import type { TestDatabase } from '@holdfast/testing/postgres';
import {
  serviceDatabase,
  serviceTestClient,
  openObservedBroker,
  testProcess,
  type ObservedBroker,
  type ServiceTestClient,
} from '@holdfast/testing/services';
import { sagaOf } from '@holdfast/testing/sagas';
import { startSandbox, type Sandbox } from '@holdfast/sandbox';
import { routesOf } from '../http/routes.js';
import { createEmergencyStop, createProviderBudget } from '@holdfast/intents/provider-controls';
import { createLeases, type LeaseLimits } from '@holdfast/intents/leases';
import { intentsMigrations } from '@holdfast/intents';
import { createLedgerRpc, tokenContracts } from '@holdfast/ledger-network/rpc';
import { consumersOf } from '../messages/consumers.js';
import { withContracts } from '../providers/escrow-contract/contract-entries.js';
import { contractExpectations } from '../providers/escrow-contract/contract-expectations.js';
import { createEscrowProvider } from '../providers/escrow-provider.js';
import { createProviderStates } from '../providers/provider-states.js';
import { createContracts, escrowAdapter, type ContractOptions, type Contracts } from '../service.js';
import { networkReader } from '../store/network-reader.js';
import { entities } from '../store/schema.js';
import { isUsedByOthers } from '../store/transaction-sql.js';
import { treasurySpending } from '../providers/treasury/treasury-spending.js';
import type { ContractRpc } from '../use-cases/entry-ports.js';
import type { EscrowProvider } from '../use-cases/ports.js';
import { contractNetworkOf } from './sandbox-contracts.js';
import { openAccounts, type SandboxAccounts } from './sandbox-accounts.js';
import { shortLimits, shortPauses } from './short-limits.js';
import type { LedgerNetwork } from '@holdfast/ledger-network/horizon';

export const webhookSecret = 'esc_whsec_for_tests_only_0123456789';

export type ReplicaOptions = Partial<
  Pick<ContractOptions, 'workerLimits' | 'leaseMs' | 'approvalAmount' | 'resolvableAfterMs' | 'deadlines'>
> & {
  readonly accountLeases?: Partial<LeaseLimits>;
  /** Wraps the provider client, for faults. */
  readonly wrapProvider?: (provider: EscrowProvider) => EscrowProvider;
  /** Wraps the ledger network, for faults. */
  readonly wrapNetwork?: (network: LedgerNetwork) => LedgerNetwork;
  /** Wraps the network's RPC, for faults. */
  readonly wrapRpc?: (rpc: ContractRpc) => ContractRpc;
  readonly spendingPerHourMax?: number;
  /** Calls that the escrow provider allows; by default there is no limit. */
  readonly callsPerMinute?: number;
  /** Of the sandbox, for the first replica. */
  readonly indexLagMs?: number;
  readonly contractVersion?: Sandbox['contractVersion'];
  /** Returns the database URL to use, for example the URL of a proxy. */
  readonly reachDatabase?: (adminUrl: string) => Promise<string>;
};

export type Replica = {
  readonly adapter: Contracts;
  readonly url: string;
  readonly metrics: RunningService['metrics'];
  readonly stop: () => Promise<void>;
};

/** Without `run` the message names the first saga that handles it. */
type MakeMessage<Result> = <M extends MessageDeclaration>(
  declaration: M,
  aggregateId: string,
  payload: Payload<M>,
  run?: Pick<Envelope, 'saga'>,
) => Result;

/** The contracts' part of the service, in one or several replicas, with its own sandbox, database and broker. */
export type RunningAdapter = ServiceTestClient & {
  readonly sandbox: Sandbox;
  readonly accounts: SandboxAccounts;
  readonly database: TestDatabase;
  readonly newId: NewId;
  readonly published: readonly Envelope[];
  readonly repeatedIds: ReadonlySet<string>;
  /** See `ObservedBroker`. */
  readonly acknowledgeOnly: ObservedBroker['acknowledgeOnly'];
  readonly first: Replica;
  readonly another: (options?: ReplicaOptions) => Promise<Replica>;
  /** Builds a message without publishing it. */
  readonly make: MakeMessage<Envelope>;
  readonly publish: MakeMessage<Promise<Envelope>>;
  readonly republish: (message: Envelope) => Promise<void>;
  /** Waits for the first message of one of these types about this order. */
  readonly waitForReply: (orderId: string, ...types: readonly string[]) => Promise<Envelope>;
  readonly fault: (operation: string, kind: string, more?: Readonly<Record<string, unknown>>) => Promise<void>;
  readonly clearFaults: () => Promise<void>;
  readonly stop: () => Promise<void>;
};

export async function startAdapter(options: ReplicaOptions = {}): Promise<RunningAdapter> {
  const clock = systemClock();
  const newId = idFactory(clock.epochMs);
  const database = await serviceDatabase(escrowAdapter);
  const sandbox = await startSandbox({
    log: silentLog,
    contractVersion: options.contractVersion ?? 'v1',
    indexLagMs: options.indexLagMs ?? 0,
  });
  const accounts = await openAccounts(sandbox);
  const observed = await openObservedBroker(database, ['escrow-adapter']);
  const { broker, published, repeatedIds, undeclared, acknowledgeOnly } = observed;
  const another = (given: ReplicaOptions = {}) => startReplica({ database, broker, sandbox, accounts }, given);
  const first = await another(options);
  const make = messageMaker(clock, newId);
  const replicas = [first];
  const control = controlClient(sandbox);
  return {
    ...serviceTestClient({ service: 'escrow-adapter', url: first.url, secret: database.internalSecret, clock }),
    ...control,
    sandbox,
    accounts,
    database,
    newId,
    published,
    repeatedIds,
    acknowledgeOnly,
    first,
    another: async (given) => {
      const replica = await another(given);
      replicas.push(replica);
      return replica;
    },
    make,
    publish: async (declaration, aggregateId, payload, run) => {
      const message = make(declaration, aggregateId, payload, run);
      await broker.publish([message]);
      return message;
    },
    republish: (message) => broker.publish([message]),
    waitForReply: replyWaiter(published),
    stop: async () => {
      await control.clearFaults();
      for (const replica of replicas) await replica.stop();
      await broker.close();
      await accounts.close();
      await sandbox.close();
      await database.drop();
      expect(undeclared).toEqual([]);
    },
  };
}

function messageMaker(clock: Clock, newId: NewId): RunningAdapter['make'] {
  return ({ type, version, aggregateType }, aggregateId, payload, saga = sagaOf({ type })) => {
    const common = { occurredAt: clock.now(), marketplaceId: defaultMarketplaceId, correlationId: 'test' };
    const run: Pick<Envelope, 'saga' | 'sagaRunId'> = { ...saga, sagaRunId: newId('run') };
    const about = { aggregateType, aggregateId, aggregateVersion: 1 };
    return { id: newId('evt'), type, version, ...about, payload, ...run, afterEventId: newId('evt'), ...common };
  };
}

type Environment = Pick<RunningAdapter, 'database' | 'sandbox' | 'accounts'> & { readonly broker: Broker };

const users = { handleUserChanged: () => Promise.resolve(), knownVersion: () => Promise.resolve(0) };

/** A separate test compares the contracts' code. */
const assertVersionsChecked = (): void => undefined;

const usualOptions = {
  approvalAmount: undefined,
  resolvableAfterMs: 600_000,
  deadlines: { giveUpAfterMs: 10_000, waitMsMax: 600_000 },
  leaseMs: 15_000,
};

/** An order that waits for the call budget does not hold up the end of a test. */
const stopTimeoutMs = 3_000;

const same = <Value>(value: Value): Value => value;

async function startReplica({ database, broker, sandbox, accounts }: Environment, options: ReplicaOptions): Promise<Replica> {
  const clock = systemClock();
  const lifecycle = createLifecycle({ log: silentLog, stopTimeoutMs });
  const { wrapProvider = same, wrapNetwork = same, wrapRpc = same, spendingPerHourMax, callsPerMinute, ...more } = options;
  const { accountLeases = {}, reachDatabase, ...rest } = more;
  const made: Contracts[] = [];
  const definition = defineService({
    name: 'escrow-adapter',
    sharedMigrations: [intentsMigrations, webhookInboxMigrations],
    migrations: new URL('../../migrations', import.meta.url),
    settings: z.object({}),
    entities,
    create: (runtime) => {
      const { networkPassphrase, usdcIssuer } = sandbox;
      const real = providerOf(sandbox, runtime, callsPerMinute);
      const leases = createLeases({ ...runtime, isUsedByOthers, limits: accountLeases });
      const given = {
        ...shortLimits,
        ...usualOptions,
        ...rest,
        expectations: contractExpectations(contractNetworkOf(sandbox), tokenContracts(networkPassphrase, usdcIssuer)),
        usdcIssuer,
        provider: wrapProvider(real),
        users,
      };
      const emergencyStop = createEmergencyStop({ ...runtime, service: 'escrow-adapter', isStoppedBySetting: false });
      const { beginSpending } = treasurySpending(runtime, spendingPerHourMax);
      const client = createLedgerRpc({ url: sandbox.rpcUrl, networkPassphrase, usdcIssuer });
      lifecycle.onStop('ledger network client', client.close);
      const rpc = wrapRpc(withContracts(client));
      const { assertNotStopped } = emergencyStop;
      const feeBumps = accounts.feeBumps({ rpc, beginSpending, log: silentLog, assertNotStopped });
      const network = wrapNetwork(accounts.network);
      const guards = { leases, emergencyStop, beginSpending, assertVersionsChecked };
      const adapter = createContracts(runtime, { ...accounts, ...given, ...guards, feeBumps, network, rpc });
      made.push(adapter);
      lifecycle.onStop('provider', real.close);
      lifecycle.onStop('leases', leases.stop);
      lifecycle.onStop('intent worker', adapter.worker.stop);
      const providers = createProviderStates({ escrowProvider: sandbox.escrowProviderUrl, ledgerNetwork: sandbox.horizonUrl });
      const reads = { providers, network: networkReader(runtime.database), webhookSecret, spendingPerHourMax };
      return {
        routes: routesOf({ ...reads, deps: adapter.deps }),
        consumers: consumersOf(adapter.deps),
        jobs: [...adapter.worker.jobs, providers.job, ...adapter.deps.inbox.jobs],
      };
    },
  });
  const adminUrl = (await reachDatabase?.(database.adminUrl)) ?? database.adminUrl;
  const { internalSecret } = database;
  const newId = idFactory(clock.epochMs);
  const { lookEveryMs } = options.workerLimits ?? {};
  const looks = lookEveryMs === undefined ? {} : { lookEveryMsMax: lookEveryMs };
  const platform = { adminUrl, internalSecret, migrateAtStart: false, broker, clock, newId, lifecycle, log: silentLog, env: {} };
  const { url, metrics } = await startService(definition, { ...platform, ...testProcess, ...looks });
  const [adapter] = made;
  if (adapter === undefined) throw new Error('the service was not built');
  return { adapter, url, metrics, stop: () => lifecycle.stop('the test is over') };
}

function providerOf(sandbox: Sandbox, { database }: Pick<ServiceRuntime, 'database'>, callsPerMinute: number | undefined) {
  const limit = callsPerMinute === undefined ? {} : { callsMax: callsPerMinute };
  return createEscrowProvider({
    baseUrl: sandbox.escrowProviderUrl,
    apiKey: sandbox.escrowApiKey,
    assets: { USDC: sandbox.usdcIssuer, XLM: 'native' },
    budget: createProviderBudget({ database, name: 'escrow-provider', windowMs: 60_000, ...limit }),
    // Faults must not open the breaker for the steps after them.
    breakerCallsMin: Number.MAX_SAFE_INTEGER,
    pauses: shortPauses,
  });
}

function controlClient({ controlUrl }: Sandbox): Pick<RunningAdapter, 'fault' | 'clearFaults'> {
  const headers = { 'content-type': 'application/json' };
  return {
    fault: async (operation, kind, more = {}) => {
      const body = JSON.stringify({ target: 'escrow-provider', operation, kind, ...more });
      const response = await fetch(`${controlUrl}/faults`, { method: 'POST', headers, body });
      if (!response.ok) throw new Error(`the sandbox refuses the fault: ${await response.text()}`);
    },
    clearFaults: async () => {
      await fetch(`${controlUrl}/faults`, { method: 'DELETE' });
    },
  };
}

function replyWaiter(published: readonly Envelope[]): RunningAdapter['waitForReply'] {
  return (orderId, ...types) =>
    eventually(() => {
      const aboutOrder = published.filter(({ payload }) => Object.values(payload as object).includes(orderId));
      const reply = aboutOrder.find(({ type }) => types.includes(type));
      if (reply === undefined) throw new Error(`not ${types.join()} but [${aboutOrder.map(describeReply).join()}]`);
      return reply;
    });
}

function describeReply({ type, payload }: Envelope): string {
  const { reason } = payload as { readonly reason?: string };
  return reason === undefined ? type : `${type} (${reason})`;
}
