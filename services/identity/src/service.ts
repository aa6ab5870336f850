import { randomUUID } from 'node:crypto';
import {
  getUserVersionInAdapter,
  getUserVersionInLedger,
  getUserVersionInOrders,
  getUserVersionInPayments,
  timeoutFactors,
} from '@holdfast/contracts/http';
import { defaultMarketplaceId } from '@holdfast/kernel/ids';
import { purposeKeys } from '@holdfast/kernel/secrets';
import { settlementTimeoutMsOf } from '@holdfast/process/config';
import { createServiceClient, type ServiceClient } from '@holdfast/http/service-client';
import { defineService, type ServiceRuntime } from '@holdfast/service-kit';
import type { Job } from '@holdfast/work';
import {
  createPerformer,
  idempotentRequestsMigrations,
  pruneIdempotentRequests,
} from '@holdfast/service-kit/idempotent-requests';
import { secretsIn, settings, urlSettings, type Settings } from './config.js';
import { routesOf } from './http/routes.js';
import { consumersOf } from './messages/consumers.js';
import { attempts, metrics } from './metrics.js';
import { loginTokens } from './providers/login-tokens.js';
import { keySecrets } from './providers/key-secrets.js';
import { ledgerBalances } from './providers/ledger.js';
import { createPasswords } from './providers/passwords.js';
import { userPropagation, type UserConsumer } from './providers/user-propagation.js';
import { testClockOf } from './providers/test-clock.js';
import { tokens } from './providers/tokens.js';
import { loginStore } from './store/login-store.js';
import { apiKeyStore } from './store/api-key-store.js';
import { emergencyStopStore } from './store/emergency-stop-store.js';
import { keyUses, type KeyUses } from './store/key-uses.js';
import { loginAttempts, pruneLoginAttempts } from './store/login-attempts.js';
import { marketplaceStore } from './store/marketplace-store.js';
import { entities } from './store/schema.js';
import { userStore } from './store/user-store.js';
import { createUnitOfWork } from './store/unit-of-work.js';
import type { LoginDeps } from './use-cases/login-ports.js';
import type { Deps } from './use-cases/ports.js';
import { publishRefusedCredentials } from './use-cases/publish-refused-credentials.js';

/** Owns marketplaces, API keys, tokens, users and the logins of people. */
export const identity = defineService({
  name: 'identity',
  sharedMigrations: [idempotentRequestsMigrations],
  migrations: new URL('../migrations', import.meta.url),
  settings,
  entities,
  metrics,
  create: (runtime) => {
    const uses = keyUses(runtime.database);
    runtime.lifecycle.onStop('key uses', uses.flush);
    const deps = depsOf(runtime, uses);
    return {
      routes: routesOf(deps, { isStoppedBySetting: runtime.config.EMERGENCY_STOP }),
      consumers: consumersOf(deps),
      jobs: [flushUsesJob(runtime, uses), ...pruneJobs(runtime), publishRefusalsJob(runtime, deps)],
    };
  },
});

function depsOf(runtime: ServiceRuntime<Settings>, uses: KeyUses): Deps {
  const { config, clock, database, outbox, broker, newId, deriveKey } = runtime;
  const clients = {
    ledger: clientOf(runtime, 'ledger-balance'),
    orders: clientOf(runtime, 'orders'),
    adapter: clientOf(runtime, 'escrow-adapter'),
    payments: clientOf(runtime, 'payments'),
  };
  const perform = createPerformer({ database, key: deriveKey('identity operation results') });
  return {
    perform: (operation, work) => perform(operation, (tx) => work(createUnitOfWork(tx, { outbox, broker }, operation.ctx))),
    inTransaction: (ctx, work) => database.inTransaction((tx) => work(createUnitOfWork(tx, { outbox, broker }, ctx))),
    marketplaces: marketplaceStore(database),
    apiKeys: { ...apiKeyStore(database), recordUse: uses.record },
    users: { ...userStore(database), whenPropagated: userPropagation(userConsumersOf(clients)) },
    emergencyStop: emergencyStopStore(database),
    testClock: testClockOf({
      ...clients,
      isProduction: config.NODE_ENV === 'production',
      clock,
      timeoutMs: settlementTimeoutMsOf(config) * timeoutFactors['test-clock'],
    }),
    balances: ledgerBalances(clients.ledger),
    secrets: keySecrets,
    tokens: tokens(deriveKey('identity access tokens')),
    ...loginDepsOf(runtime),
    disputePeriodMin: config.DISPUTE_PERIOD_MIN,
    newId,
  };
}

function loginDepsOf({ config, database, metrics: registered, deriveKey }: ServiceRuntime<Settings>): LoginDeps {
  const counted = registered.counter(attempts);
  return {
    logins: loginStore(database),
    loginAttempts: { ...loginAttempts(database), perAddressMax: config.LOGIN_ATTEMPTS_PER_ADDRESS_MAX },
    onAttempt: (action, outcome) => {
      counted.inc({ action, outcome });
    },
    passwords: createPasswords(),
    loginTokens: loginTokens(loginKeysOf(config, deriveKey)),
    loginTokenSeconds: config.LOGIN_TOKEN_SECONDS,
  };
}

/** The first one signs. The derived one always verifies, so that all sessions survive when the first secret is set. */
function loginKeysOf({ LOGIN_TOKEN_SECRETS }: Settings, deriveKey: (purpose: string) => Buffer): readonly Buffer[] {
  const purpose = 'identity login tokens';
  return [...secretsIn(LOGIN_TOKEN_SECRETS).map((secret) => purposeKeys(secret)(purpose)), deriveKey(purpose)];
}

type Clients = Readonly<Record<'ledger' | 'orders' | 'adapter' | 'payments', ServiceClient>>;

/** The services that must have consumed a change of a user. */
function userConsumersOf({ ledger, orders, adapter, payments }: Clients): readonly UserConsumer[] {
  return [
    { client: ledger, route: getUserVersionInLedger },
    { client: orders, route: getUserVersionInOrders },
    { client: adapter, route: getUserVersionInAdapter },
    { client: payments, route: getUserVersionInPayments },
  ];
}

function clientOf({ config, signer, lifecycle }: ServiceRuntime<Settings>, to: keyof typeof urlSettings): ServiceClient {
  const client = createServiceClient({ from: 'identity', to, baseUrl: config[urlSettings[to]], signer });
  lifecycle.onStop(`${to} client`, client.close);
  return client;
}

function flushUsesJob({ config }: ServiceRuntime<Settings>, uses: KeyUses): Job {
  return { name: 'flush-key-uses', everyMs: config.KEY_USES_FLUSH_EVERY_MS, run: uses.flush };
}

function publishRefusalsJob({ clock, log, config }: ServiceRuntime<Settings>, deps: Deps): Job {
  const caller = { type: 'system', id: 'identity', marketplaceId: defaultMarketplaceId, scopes: [] } as const;
  const run = (): Promise<void> => publishRefusedCredentials(deps, { caller, requestId: randomUUID(), at: clock.now(), log });
  return { name: 'publish-refused-credentials', everyMs: config.REFUSALS_PUBLISH_EVERY_MS, run };
}

const pruneEveryMs = 3_600_000;

function pruneJobs({ database, clock }: ServiceRuntime<Settings>): readonly Job[] {
  return [
    {
      name: 'prune-idempotent-requests',
      everyMs: pruneEveryMs,
      run: (signal) => pruneIdempotentRequests(database, clock.now(), signal),
    },
    { name: 'prune-login-attempts', everyMs: pruneEveryMs, run: (signal) => pruneLoginAttempts(database, clock.now(), signal) },
  ];
}
