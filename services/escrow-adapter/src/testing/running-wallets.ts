import { Keypair } from '@stellar/stellar-sdk';
import { startSandbox, type Sandbox } from '@holdfast/sandbox';
import type { Broker } from '@holdfast/messaging/broker';
import { systemClock, type Log } from '@holdfast/kernel/context';
import { findUser, getBalances } from '@holdfast/contracts/http';
import { caseResolved, userCreated, type Envelope, type MessageDeclaration, type Payload } from '@holdfast/contracts/messages';
import { AppError } from '@holdfast/kernel/errors';
import { handle } from '@holdfast/http/server';
import { defaultMarketplaceId, idFactory, type UserId } from '@holdfast/kernel/ids';
import { createLifecycle } from '@holdfast/process/lifecycle';
import type { Database } from '@holdfast/postgres';
import { defineService, migrationFoldersOf, on, startService } from '@holdfast/service-kit';
import { webhookInboxMigrations } from '@holdfast/webhook-inbox';
import { eventually } from '@holdfast/testing/eventually';
import { silentLog } from '@holdfast/testing/log';
import type { TestDatabase } from '@holdfast/testing/postgres';
import {
  serviceDatabase,
  serviceTestClient,
  ignoringOthers,
  openObservedBroker,
  startStubService,
  testProcess,
  type ServiceTestClient,
} from '@holdfast/testing/services';
import { sagaOf } from '@holdfast/testing/sagas';
import { createEmergencyStop } from '@holdfast/intents/provider-controls';
import { createLeases } from '@holdfast/intents/leases';
import { intentsMigrations } from '@holdfast/intents';
import { settings } from '../config.js';
import { connectUsers } from '../providers/known-users.js';
import { openRpc } from '../providers/ledger-network.js';
import { createWallets, escrowAdapter, escrowAdapterWith, type WalletsPart } from '../service.js';
import { entities } from '../store/schema.js';
import { contractEnvOf } from './sandbox-contracts.js';
import { shortLimits } from './short-limits.js';
import { platformAccounts } from '@holdfast/ledger-network/signing';
import { horizonHistory, horizonNetwork, type LedgerNetwork } from '@holdfast/ledger-network/horizon';
import { faucet, payFromOutside } from './outside-payments.js';

const clock = systemClock();
const newId = idFactory(clock.epochMs);

/** Sandbox, database and broker that outlive a process of the wallets. */
export type WalletTestbed = {
  readonly sandbox: Sandbox;
  readonly network: LedgerNetwork;
  readonly database: TestDatabase;
  readonly published: readonly Envelope[];
  /** See `ObservedBroker`. */
  readonly acknowledgeOnly: (isAcknowledged: (envelope: Envelope) => boolean) => void;
  /** The key of the treasury. */
  readonly treasury: Keypair;
  readonly newUserId: () => UserId;
  /** Opens the service's database a second time. */
  readonly openTables: () => Promise<Database>;
  /** The addresses of treasury and platform, with their custody places. */
  readonly platformAddresses: () => ReadonlyMap<string, string>;
  /** Sets the balance that the stub of ledger-balance returns for a user, in USDC by default. */
  readonly setOwned: (userId: UserId, amount: string, asset?: 'USDC' | 'XLM') => void;
  /** Pays to an address from an external account. */
  readonly pay: (to: string, asset: 'USDC' | 'XLM', amount: string) => Promise<void>;
  /** Creates an account for an address from outside the platform. */
  readonly open: (address: string, xlm: string) => Promise<void>;
  /** Starts a process with the wallets only; several can run concurrently. */
  readonly start: (env?: Readonly<Record<string, string>>, options?: ProcessOptions) => Promise<RunningWallets>;
  /** Starts the whole service, wallets and contracts. */
  readonly startAdapterService: (env?: Readonly<Record<string, string>>) => Promise<{ readonly stop: () => Promise<void> }>;
  readonly publish: <M extends MessageDeclaration>(declaration: M, aggregateId: string, payload: Payload<M>) => Promise<Envelope>;
  readonly end: () => Promise<void>;
};

/** `adminUrl` leads to the database over a proxy. */
export type ProcessOptions = { readonly adminUrl?: string; readonly log?: Log };

export type RunningWallets = ServiceTestClient & {
  readonly module: WalletsPart;
  /** Activates the wallet of a user, as an intent does that needs it. */
  readonly activeAddressOf: (userId: UserId) => Promise<string>;
  /** A new user with an active wallet. */
  readonly aWallet: () => Promise<{ readonly userId: UserId; readonly address: string }>;
  readonly publishUserCreated: (userId: UserId) => Promise<void>;
  readonly stop: () => Promise<void>;
};

export const testMasterKey = 'the first master key of the tests';
const channelCount = 2;
const seeds = { TREASURY_SEED: Keypair.random().secret(), PLATFORM_SEED: Keypair.random().secret() };

export async function aWalletTestbed(): Promise<WalletTestbed> {
  const database = await serviceDatabase(escrowAdapter);
  const sandbox = await startSandbox({ log: silentLog });
  const { broker, published, acknowledgeOnly } = await openObservedBroker(database, ['escrow-adapter']);
  const owned = new Map<string, string>();
  const stubs = await startStubs(database.internalSecret, owned);
  const outside = Keypair.random();
  const { horizonUrl: url, networkPassphrase, usdcIssuer } = sandbox;
  const history = horizonHistory({ url, networkPassphrase, usdcIssuer });
  const network = horizonNetwork({ url, networkPassphrase, usdcIssuer, history });
  const stops: (() => Promise<void>)[] = [history.close];
  const testbed = { sandbox, network, database, published, newUserId: () => newId('usr'), platformAddresses };
  return {
    ...testbed,
    acknowledgeOnly,
    treasury: Keypair.fromSecret(seeds.TREASURY_SEED),
    openTables: () =>
      database.open({
        service: 'escrow-adapter',
        migrations: migrationFoldersOf(escrowAdapter),
        entities,
      }),
    setOwned: (userId, amount, asset = 'USDC') => void owned.set(`${userId} ${asset}`, amount),
    pay: (to, asset, amount) => payFromOutside(testbed, outside, { to, asset, amount }),
    open: (address, xlm) => faucet(sandbox, { address, asset: 'XLM', amount: xlm }),
    start: async (env = {}, options = {}) => {
      const processEnv = { ...stubs.env, ...envOf(sandbox), ...seeds, ...env };
      const running = await startProcess({ ...testbed, broker, env: processEnv, options });
      stops.push(running.stop);
      return running;
    },
    startAdapterService: async (env = {}) => {
      const serviceEnv = { ...stubs.env, ...envOf(sandbox), ...seeds, ...env };
      const lifecycle = createLifecycle({ log: silentLog });
      await startService(escrowAdapterWith(shortLimits), {
        ...commonOf(testbed.database, broker),
        lifecycle,
        env: serviceEnv,
        ...testProcess,
      });
      const stop = () => lifecycle.stop('the test is over');
      stops.push(stop);
      return { stop };
    },
    publish: async (declaration, aggregateId, payload) => {
      const message = messageOf(declaration, aggregateId, payload);
      await broker.publish([message]);
      return message;
    },
    end: async () => {
      for (const stop of stops) await stop();
      await stubs.stop();
      await broker.close();
      await sandbox.close();
      await database.drop();
    },
  };
}

function platformAddresses(): ReadonlyMap<string, string> {
  const { TREASURY_SEED: treasurySeed, PLATFORM_SEED: platformSeed } = seeds;
  const { treasury, channels, platform } = platformAccounts({ treasurySeed, platformSeed, channelCount });
  return new Map([...[treasury, ...channels].map((address): [string, string] => [address, 'treasury']), [platform, 'platform']]);
}

function envOf(sandbox: Sandbox) {
  const { horizonUrl, rpcUrl, networkPassphrase, usdcIssuer, controlUrl } = sandbox;
  return {
    ...contractEnvOf(sandbox),
    ESCROW_PROVIDER_URL: sandbox.escrowProviderUrl,
    ESCROW_PROVIDER_API_KEY: sandbox.escrowApiKey,
    LEDGER_HORIZON_URL: horizonUrl,
    LEDGER_RPC_URL: rpcUrl,
    LEDGER_NETWORK_PASSPHRASE: networkPassphrase,
    USDC_ISSUER: usdcIssuer,
    LEDGER_FAUCET_URL: `${controlUrl}/faucet`,
    WALLET_MASTER_KEY: testMasterKey,
    WALLET_SWEEP_EVERY_MS: '100',
    LEDGER_WATCH_EVERY_MS: '50',
    TREASURY_CHANNELS: String(channelCount),
  };
}

async function startStubs(secret: string, owned: ReadonlyMap<string, string>) {
  const identity = await startStubService({
    service: 'identity',
    secret,
    clock,
    routes: [
      handle(findUser, ({ params: { id } }, { caller }) => {
        if (id.startsWith('usr_unknown')) return Promise.reject(new AppError('USER_NOT_FOUND'));
        return Promise.resolve({ id, marketplaceId: caller.marketplaceId, type: 'BOTH', status: 'ACTIVE', version: 1 });
      }),
    ],
  });
  const ledger = await startStubService({
    service: 'ledger-balance',
    secret,
    clock,
    routes: [
      handle(getBalances, ({ body: { userIds, currency } }) => {
        const has = (userId: string): string => owned.get(`${userId} ${currency}`) ?? '0.00';
        const balances = userIds.map((userId) => ({
          userId,
          available: has(userId),
          reserved: '0.00',
          total: has(userId),
          currency,
        }));
        return Promise.resolve({ balances });
      }),
    ],
  });
  return {
    env: { IDENTITY_URL: identity.url, LEDGER_BALANCE_URL: ledger.url },
    stop: async () => {
      await identity.stop();
      await ledger.stop();
    },
  };
}

type Starting = Pick<WalletTestbed, 'database'> & {
  readonly broker: Broker;
  readonly env: Readonly<Record<string, string>>;
  readonly options: ProcessOptions;
};

async function startProcess({ database, broker, env, options }: Starting): Promise<RunningWallets> {
  const lifecycle = createLifecycle({ log: silentLog });
  let module: WalletsPart | undefined;
  const service = defineService({
    name: 'escrow-adapter',
    sharedMigrations: [intentsMigrations, webhookInboxMigrations],
    migrations: new URL('../../migrations', import.meta.url),
    settings,
    entities,
    create: async (runtime) => {
      const emergencyStop = createEmergencyStop({ ...runtime, service: 'escrow-adapter', isStoppedBySetting: false });
      const [rpc, users] = [openRpc(runtime), connectUsers(runtime)];
      const leases = createLeases(runtime);
      lifecycle.onStop('leases', leases.stop);
      const spending = { beginSpending: () => Promise.resolve(), describeCaps: () => Promise.resolve([]) };
      module = await createWallets(runtime, { leases, emergencyStop, rpc, users, ...spending, ...shortLimits });
      const { routes, jobs, prepareWallet } = module;
      const consumer = on(userCreated, async ({ id: afterEventId, payload, marketplaceId }) => {
        prepareWallet({ userId: payload.userId, marketplaceId, afterEventId });
      });
      const consumers = [consumer, on(caseResolved, module.handleCaseResolved)];
      return { routes, jobs, consumers: ignoringOthers('escrow-adapter', consumers) };
    },
  });
  const common = { ...commonOf(database, broker), ...options };
  const { url } = await startService(service, { ...common, lifecycle, env, ...testProcess });
  if (module === undefined) throw new Error('the service was not created');
  const { wallets } = module;
  const activeAddressOf = (userId: UserId): Promise<string> => eventually(() => wallets.addressOf(userId, defaultMarketplaceId));
  return {
    ...serviceTestClient({ service: 'escrow-adapter', url, secret: database.internalSecret, clock }),
    module,
    activeAddressOf,
    aWallet: async () => {
      const userId = newId('usr');
      return { userId, address: await activeAddressOf(userId) };
    },
    publishUserCreated: (userId) =>
      broker.publish([messageOf(userCreated, userId, { userId, externalUserId: userId, type: 'BOTH', status: 'ACTIVE' })]),
    stop: () => lifecycle.stop('the test is over'),
  };
}

function commonOf({ adminUrl, internalSecret }: TestDatabase, broker: Broker) {
  return { adminUrl, internalSecret, migrateAtStart: false, broker, clock, newId, log: silentLog };
}

function messageOf<M extends MessageDeclaration>(
  { type, version, aggregateType }: M,
  aggregateId: string,
  payload: Payload<M>,
): Envelope<Payload<M>> {
  return {
    id: newId('evt'),
    type,
    version,
    aggregateType,
    aggregateId,
    aggregateVersion: 1,
    occurredAt: clock.now(),
    marketplaceId: defaultMarketplaceId,
    correlationId: 'test',
    ...sagaOf({ type }),
    sagaRunId: newId('run'),
    payload,
  };
}
