import { z } from 'zod';
import type { Broker } from '@holdfast/messaging/broker';
import { systemClock, type Clock } from '@holdfast/kernel/context';
import type { Envelope, MessageDeclaration, Payload } from '@holdfast/contracts/messages';
import { defaultMarketplaceId, idFactory, type NewId } from '@holdfast/kernel/ids';
import { createLifecycle } from '@holdfast/service-host/lifecycle';
import { defineService, startService } from '@holdfast/service-host';
import { eventually } from '@holdfast/testing/eventually';
import { silentLog } from '@holdfast/testing/log';
import { testDatabase, type TestDatabase } from '@holdfast/testing/postgres';
import { serviceTestClient, openObservedBroker, sagaOf, type ServiceTestClient } from '@holdfast/testing/services';
import { startSandbox, type Sandbox } from '@holdfast/sandbox';
import { createAdapter, type Adapter, type AdapterOptions } from '../adapter.js';
import { routesOf } from '../http/routes.js';
import { createEmergencyStop, createLeases, intentsMigrations, type LeaseLimits } from '@holdfast/intents';
import { consumersOf } from '../messages/consumers.js';
import { createEscrowProvider } from '../providers/escrow-provider.js';
import { createProviderStates } from '../providers/provider-states.js';
import { entities } from '../store/schema.js';
import { treasurySpending } from '../treasury-spending.js';
import type { EscrowProvider } from '../use-cases/ports.js';
import type { LedgerNetwork } from '../wallets/ports.js';
import { openAccounts, type SandboxAccounts } from './sandbox-accounts.js';

export const webhookSecret = 'esc_whsec_for_tests_only_0123456789';

export type ReplicaOptions = Partial<
  Pick<AdapterOptions, 'workerLimits' | 'leaseMs' | 'unconfirmedMsMax' | 'approvalAmount' | 'resolvableAfterMs'>
> & {
  readonly accountLeases?: Partial<LeaseLimits>;
  /** Wraps the provider client, for faults. */
  readonly wrapProvider?: (provider: EscrowProvider) => EscrowProvider;
  /** Wraps the ledger network, for faults. */
  readonly wrapNetwork?: (network: LedgerNetwork) => LedgerNetwork;
  readonly spendingPerHourMax?: number;
  /** Returns the database URL to use, for example that of a proxy. */
  readonly reachDatabase?: (adminUrl: string) => Promise<string>;
};

export type Replica = { readonly adapter: Adapter; readonly url: string; readonly stop: () => Promise<void> };

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
  const database = await testDatabase();
  const sandbox = await startSandbox({ log: silentLog });
  const accounts = await openAccounts(sandbox);
  const { broker, published, undeclared } = await openObservedBroker(database, ['escrow-adapter']);
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

const same = <Value>(value: Value): Value => value;

async function startReplica({ database, broker, sandbox, accounts }: Environment, options: ReplicaOptions): Promise<Replica> {
  const clock = systemClock();
  const lifecycle = createLifecycle({ log: silentLog });
  const real = createEscrowProvider({
    baseUrl: sandbox.escrowProviderUrl,
    apiKey: sandbox.escrowApiKey,
    assets: { USDC: sandbox.usdcIssuer, XLM: 'native' },
    budget: { take: () => Promise.resolve() },
  });
  const { wrapProvider = same, wrapNetwork = same, spendingPerHourMax, ...more } = options;
  const { unconfirmedMsMax = 600_000, resolvableAfterMs = 600_000, accountLeases = {}, reachDatabase, ...rest } = more;
  const made: Adapter[] = [];
  const definition = defineService({
    name: 'escrow-adapter',
    sharedMigrations: [intentsMigrations],
    migrations: new URL('../../migrations', import.meta.url),
    settings: z.object({}),
    entities,
    create: (runtime) => {
      const users = { handleUserChanged: () => Promise.resolve(), knownVersion: () => Promise.resolve(0) };
      const walletsModule = { ...accounts, network: wrapNetwork(accounts.network) };
      const leases = createLeases({ ...runtime, limits: accountLeases });
      const limits = { unconfirmedMsMax, resolvableAfterMs };
      const given = { ...rest, ...limits, runtime, walletsModule, provider: wrapProvider(real), users };
      const emergencyStop = createEmergencyStop({ ...runtime, service: 'escrow-adapter', isStoppedBySetting: false });
      const beginSpending = treasurySpending(runtime, spendingPerHourMax);
      const adapter = createAdapter({ ...given, leases, emergencyStop, beginSpending });
      made.push(adapter);
      lifecycle.onStop('provider', real.close);
      lifecycle.onStop('leases', leases.stop);
      lifecycle.onStop('intent worker', adapter.worker.stop);
      adapter.worker.start();
      const providers = createProviderStates({ escrowProvider: sandbox.escrowProviderUrl, ledgerNetwork: sandbox.horizonUrl });
      return {
        routes: routesOf({ providers, webhookSecret, deps: adapter.deps }),
        consumers: consumersOf(adapter.deps),
        jobs: [providers.job],
      };
    },
  });
  const adminUrl = (await reachDatabase?.(database.adminUrl)) ?? database.adminUrl;
  const { internalSecret } = database;
  const newId = idFactory(clock.epochMs);
  const platform = { adminUrl, internalSecret, broker, clock, newId, lifecycle, log: silentLog, env: {} };
  const { url } = await startService(definition, { ...platform, host: '127.0.0.1', port: 0 });
  const [adapter] = made;
  if (adapter === undefined) throw new Error('the service was not built');
  return { adapter, url, stop: () => lifecycle.stop('the test is over') };
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
    eventually(
      () => {
        const aboutOrder = published.filter(({ payload }) => Object.values(payload as object).includes(orderId));
        const reply = aboutOrder.find(({ type }) => types.includes(type));
        if (reply === undefined) throw new Error(`not ${types.join()} but [${aboutOrder.map(({ type }) => type).join()}]`);
        return reply;
      },
      { timeoutMs: 25_000 },
    );
}
