import type { Broker } from '@holdfast/shared/broker';
import { systemClock, type Clock } from '@holdfast/shared/context';
import type { Envelope, MessageDeclaration, Payload } from '@holdfast/shared/contracts/messages';
import { defaultMarketplaceId, idFactory, type NewId } from '@holdfast/shared/ids';
import { createLifecycle } from '@holdfast/shared/lifecycle';
import { defineService, startService } from '@holdfast/shared/service-host';
import { eventually } from '@holdfast/shared/testing/eventually';
import { silentLog } from '@holdfast/shared/testing/log';
import { testDatabase, type TestDatabase } from '@holdfast/shared/testing/postgres';
import { asking, openObservedBroker, sagaOf, type Asking } from '@holdfast/shared/testing/services';
import { startSandbox, type Sandbox } from '@holdfast/sandbox';
import { z } from 'zod';
import { createAdapter, type Adapter, type AdapterOptions } from '../adapter.js';
import { routesOf } from '../http/routes.js';
import { createLeases, createTokenBucket, type LeaseLimits } from '../lanes/index.js';
import { consumersOf } from '../messages/consumers.js';
import { createEscrowProvider } from '../providers/escrow-provider.js';
import { knowProviders } from '../providers/provider-states.js';
import { entities } from '../store/schema.js';
import type { EscrowProvider } from '../use-cases/ports.js';
import { openAccounts, type SandboxAccounts } from './sandbox-accounts.js';

export const webhookSecret = 'esc_whsec_for_tests_only_0123456789';

export type ReplicaOptions = Partial<Pick<AdapterOptions, 'lane' | 'leaseMs' | 'unconfirmedMsMax'>> & {
  readonly accountLeases?: Partial<LeaseLimits>;
  /** What a test puts between the adapter and the provider. */
  readonly wrapProvider?: (provider: EscrowProvider) => EscrowProvider;
  /** What a test puts between the adapter and its database: the address of it, in place of the one given. */
  readonly reachDatabase?: (adminUrl: string) => Promise<string>;
};

export type Replica = { readonly adapter: Adapter; readonly url: string; readonly stop: () => Promise<void> };

/** The message belongs to the first saga that handles it, unless another one is named. */
type Making<Result> = <M extends MessageDeclaration>(
  declaration: M,
  aggregateId: string,
  payload: Payload<M>,
  run?: Pick<Envelope, 'saga'>,
) => Result;

/** The contracts' part of the service on a sandbox, a database and a broker of its own, once or several times side by side. */
export type RunningAdapter = Asking & {
  readonly sandbox: Sandbox;
  readonly accounts: SandboxAccounts;
  readonly database: TestDatabase;
  readonly newId: NewId;
  readonly heard: readonly Envelope[];
  readonly first: Replica;
  readonly another: (options?: ReplicaOptions) => Promise<Replica>;
  /** A message that was not published yet. */
  readonly make: Making<Envelope>;
  readonly tell: Making<Promise<Envelope>>;
  readonly tellAgain: (message: Envelope) => Promise<void>;
  /** The first message of one of these types about this order. */
  readonly answer: (orderId: string, ...types: readonly string[]) => Promise<Envelope>;
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
  const { broker, heard, undeclared } = await openObservedBroker(database, ['escrow-adapter']);
  const another = (given: ReplicaOptions = {}) => startReplica({ database, broker, sandbox, accounts }, given);
  const first = await another(options);
  const make = making(clock, newId);
  const replicas = [first];
  const control = controlling(sandbox);
  return {
    ...asking({ service: 'escrow-adapter', url: first.url, secret: database.internalSecret, clock }),
    ...control,
    sandbox,
    accounts,
    database,
    newId,
    heard,
    first,
    another: async (given) => {
      const replica = await another(given);
      replicas.push(replica);
      return replica;
    },
    make,
    tell: async (declaration, aggregateId, payload, run) => {
      const message = make(declaration, aggregateId, payload, run);
      await broker.publish([message]);
      return message;
    },
    tellAgain: (message) => broker.publish([message]),
    answer: answering(heard),
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

function making(clock: Clock, newId: NewId): RunningAdapter['make'] {
  return ({ type, version, aggregateType }, aggregateId, payload, saga = sagaOf({ type })) => {
    const common = { occurredAt: clock.now(), marketplaceId: defaultMarketplaceId, correlationId: 'test' };
    const run: Pick<Envelope, 'saga' | 'sagaRunId'> = { ...saga, sagaRunId: newId('run') };
    const about = { aggregateType, aggregateId, aggregateVersion: 1 };
    return { id: newId('evt'), type, version, ...about, payload, ...run, afterEventId: newId('evt'), ...common };
  };
}

type Surroundings = Pick<RunningAdapter, 'database' | 'sandbox' | 'accounts'> & { readonly broker: Broker };

async function startReplica({ database, broker, sandbox, accounts }: Surroundings, options: ReplicaOptions): Promise<Replica> {
  const clock = systemClock();
  const lifecycle = createLifecycle({ log: silentLog });
  const real = createEscrowProvider({
    baseUrl: sandbox.escrowProviderUrl,
    apiKey: sandbox.escrowApiKey,
    assets: { USDC: sandbox.usdcIssuer, XLM: 'native' },
    budget: createTokenBucket({ windowMs: 1, clock }),
  });
  const {
    wrapProvider = (provider) => provider,
    unconfirmedMsMax = 600_000,
    accountLeases = {},
    reachDatabase,
    ...rest
  } = options;
  const made: Adapter[] = [];
  const definition = defineService({
    name: 'escrow-adapter',
    migrations: new URL('../../migrations', import.meta.url),
    settings: z.object({}),
    entities,
    create: (runtime) => {
      const users = { hear: () => Promise.resolve(), notedVersion: () => Promise.resolve(0) };
      const leases = createLeases({ ...runtime, limits: accountLeases });
      const given = { ...rest, runtime, walletsPart: accounts, provider: wrapProvider(real), users, unconfirmedMsMax };
      const adapter = createAdapter({ ...given, leases });
      made.push(adapter);
      lifecycle.onStop('provider', real.close);
      lifecycle.onStop('leases', leases.stop);
      lifecycle.onStop('lane', adapter.lane.stop);
      adapter.lane.start();
      const providers = knowProviders({ escrowProvider: sandbox.escrowProviderUrl, ledgerNetwork: sandbox.horizonUrl });
      return {
        routes: routesOf({ providers, webhookSecret, deps: adapter.deps }),
        consumers: consumersOf(adapter.deps),
        jobs: [providers.job],
      };
    },
  });
  const platform = {
    adminUrl: (await reachDatabase?.(database.adminUrl)) ?? database.adminUrl,
    internalSecret: database.internalSecret,
    broker,
    clock,
    newId: idFactory(clock.epochMs),
    lifecycle,
    log: silentLog,
    env: {},
  };
  const { url } = await startService(definition, { ...platform, host: '127.0.0.1', port: 0 });
  const [adapter] = made;
  if (adapter === undefined) throw new Error('the service was not built');
  return { adapter, url, stop: () => lifecycle.stop('the test is over') };
}

function controlling({ controlUrl }: Sandbox): Pick<RunningAdapter, 'fault' | 'clearFaults'> {
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

function answering(heard: readonly Envelope[]): RunningAdapter['answer'] {
  return (orderId, ...types) =>
    eventually(
      () => {
        const told = heard.filter(({ payload }) => Object.values(payload as object).includes(orderId));
        const answer = told.find(({ type }) => types.includes(type));
        if (answer === undefined) throw new Error(`not ${types.join()} but [${told.map(({ type }) => type).join()}]`);
        return answer;
      },
      { timeoutMs: 25_000 },
    );
}
