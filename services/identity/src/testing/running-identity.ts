import { fileURLToPath } from 'node:url';
import type { Broker } from '@holdfast/messaging/broker';
import { systemClock, toInstant, type Clock } from '@holdfast/kernel/context';
import type { AccountUserView, NewApiKeyView, UserView, VerifiedCredential } from '@holdfast/contracts/http';
import { auditRecorded, type AuditFact, type Envelope } from '@holdfast/contracts/messages';
import { idFactory, type MarketplaceId } from '@holdfast/kernel/ids';
import { createLifecycle } from '@holdfast/process/lifecycle';
import { messagingMigrations } from '@holdfast/messaging/outbox';
import { idempotentRequestsMigrations } from '@holdfast/service-kit/idempotent-requests';
import { startService, type RunningService } from '@holdfast/service-kit';
import { eventually } from '@holdfast/testing/eventually';
import { collectingLog, type CollectingLog } from '@holdfast/testing/log';
import type { TestDatabase } from '@holdfast/testing/postgres';
import {
  serviceDatabase,
  serviceTestClient,
  openObservedBroker,
  testProcess,
  type TestCaller,
  type ServiceTestClient,
} from '@holdfast/testing/services';
import { identity } from '../service.js';
import { clockStubs, type ClockStubs } from './clock-stubs.js';
import { startLedgerStub, type LedgerStub } from './ledger-stub.js';
import { startUserConsumerStub } from './user-consumer-stub.js';

/** The service on its own database. Tests call it over HTTP, as the gateway and other services do. */
export type RunningIdentity = ServiceTestClient & {
  readonly url: string;
  readonly metrics: RunningService['metrics'];
  /** Calls the account API as the gateway does for a person who has not logged in. */
  readonly people: Pick<ServiceTestClient, 'post'>;
  readonly database: TestDatabase;
  readonly broker: Broker;
  readonly ledger: LedgerStub;
  readonly testClock: ClockStubs;
  readonly log: CollectingLog;
  readonly clock: Clock;
  /** Advances the clock of the service and of the test client. */
  readonly moveClock: (ms: number) => void;
  readonly aMarketplace: () => Promise<MarketplaceId>;
  readonly aKey: (given?: object) => Promise<NewApiKeyView>;
  readonly aUser: (given?: object, by?: TestCaller) => Promise<UserView>;
  /** Registers a person with a new address and password. */
  readonly aPerson: (given?: object) => Promise<Person>;
  /** Verifies a credential as the gateway does. */
  readonly verify: (credential: string) => Promise<VerifiedCredential | null>;
  /** Waits for this many messages of an aggregate, without audit.recorded, and returns them in the order of their versions. */
  readonly messagesOf: (aggregateId: string, count: number) => Promise<readonly Envelope[]>;
  /** Waits for this many messages audit.recorded of a resource. */
  readonly auditsOf: (resourceId: string, count: number) => Promise<readonly Envelope<AuditFact>[]>;
  readonly stop: () => Promise<void>;
};

export type Person = AccountUserView & { readonly password: string; readonly token: string };

/** For tests that open the service's tables themselves. */
export const identityMigrations = [messagingMigrations, idempotentRequestsMigrations, fileURLToPath(identity.migrations)];

export type IdentityOptions = {
  /** Starts a proxy between the service and the database, and returns its URL. */
  readonly via?: (adminUrl: string) => Promise<string>;
  readonly env?: Readonly<Record<string, string>>;
  /** Starts another replica of this one. */
  readonly replicaOf?: Pick<RunningIdentity, 'database'>;
  /** Not needed on a database that was copied with its schemas, except where the start itself is the subject. */
  readonly migrateAtStart?: boolean;
};

export async function startIdentity(options: IdentityOptions = {}): Promise<RunningIdentity> {
  const { via, env: given, replicaOf, migrateAtStart = false } = options;
  const { clock, moveClock } = movableClock();
  const log = collectingLog();
  const lifecycle = createLifecycle({ log });
  const database = replicaOf?.database ?? (await serviceDatabase(identity));
  const { internalSecret } = database;
  const adminUrl = via === undefined ? database.adminUrl : await via(database.adminUrl);
  const { broker, published } = await openObservedBroker(database, [identity.name]);
  lifecycle.onStop('broker', broker.close);
  const ledger = await startLedgerStub(internalSecret, clock);
  lifecycle.onStop('ledger', ledger.stop);
  const { stubs: testClock, routes } = clockStubs();
  const stub = { secret: internalSecret, clock };
  const orders = await startUserConsumerStub('orders', { ...stub, routes: routes.orders });
  lifecycle.onStop('orders', orders.stop);
  const adapter = await startUserConsumerStub('escrow-adapter', { ...stub, routes: routes.adapter });
  lifecycle.onStop('escrow-adapter', adapter.stop);
  const payments = await startUserConsumerStub('payments', { ...stub, routes: routes.payments });
  lifecycle.onStop('payments', payments.stop);
  const urls = {
    LEDGER_BALANCE_URL: ledger.url,
    ORDERS_URL: orders.url,
    ESCROW_ADAPTER_URL: adapter.url,
    PAYMENTS_URL: payments.url,
  };
  const env = { ...urls, KEY_USES_FLUSH_EVERY_MS: '20', REFUSALS_PUBLISH_EVERY_MS: '20', ...given };
  const access = { adminUrl, internalSecret, migrateAtStart };
  const shared = { ...access, broker, clock, newId: idFactory(clock.epochMs), lifecycle, log, env };
  const { url, metrics } = await startService(identity, { ...shared, ...testProcess });
  const client = serviceTestClient({ service: identity.name, url, secret: internalSecret, clock });
  const people = asAnonymous(client);
  return {
    ...client,
    ...builders(client),
    url,
    metrics,
    people,
    aPerson: (person = {}) => register(people, person),
    database,
    broker,
    ledger,
    testClock,
    log,
    clock,
    moveClock,
    messagesOf: (aggregateId, count) =>
      collected(() => published.filter((message) => message.aggregateId === aggregateId && !isAudit(message)), count),
    auditsOf: (resourceId, count) =>
      collected(() => published.filter(isAudit).filter(({ payload }) => payload.resourceId === resourceId), count),
    stop: async () => {
      await lifecycle.stop('the test is over');
      if (replicaOf === undefined) await database.drop();
    },
  };
}

function isAudit(message: Envelope): message is Envelope<AuditFact> {
  return message.type === auditRecorded.type;
}

function collected<M extends Envelope>(matching: () => readonly M[], count: number): Promise<readonly M[]> {
  return eventually(() => {
    const messages = matching();
    if (messages.length < count) throw new Error(`${messages.length} of ${count} messages so far`);
    return messages.toSorted((a, b) => a.aggregateVersion - b.aggregateVersion);
  });
}

function movableClock(): { readonly clock: Clock; readonly moveClock: (ms: number) => void } {
  const real = systemClock();
  let aheadMs = 0;
  const epochMs = (): number => real.epochMs() + aheadMs;
  return { clock: { epochMs, now: () => toInstant(epochMs()) }, moveClock: (ms) => void (aheadMs += ms) };
}

function asAnonymous({ post }: ServiceTestClient): RunningIdentity['people'] {
  const anonymous = { type: 'anonymous', id: 'anonymous', scopes: [] } as const;
  return { post: (path, body, by) => post(path, body, { ...anonymous, clientAddress: '192.0.2.1', ...by }) };
}

let peopleRegistered = 0;

async function register({ post }: RunningIdentity['people'], given: object): Promise<Person> {
  peopleRegistered += 1;
  const n = peopleRegistered;
  const body = { email: `person-${n}@example.com`, password: `password of ${n}`, name: `Person ${n}`, ...given };
  const { data } = await post('/auth/register', body, { clientAddress: `registers-${n}` });
  return { ...body, ...(data as Omit<Person, 'password'>) };
}

let usersCreated = 0;

function builders({ post }: ServiceTestClient): Pick<RunningIdentity, 'aMarketplace' | 'aKey' | 'aUser' | 'verify'> {
  return {
    aMarketplace: async () => (await post('/marketplaces', { name: 'Another one' })).data.id as MarketplaceId,
    aKey: async (given = {}) => (await post('/auth/api-keys', { name: 'a key', scopes: ['*'], ...given })).data as NewApiKeyView,
    aUser: async (given = {}, by = {}) => {
      usersCreated += 1;
      return (await post('/users', { externalUserId: `customer-${usersCreated}`, ...given }, by)).data as UserView;
    },
    verify: async (credential) => {
      const gatewayCaller = { type: 'system', id: 'gateway', scopes: [] } as const;
      const { data } = await post('/internal/credentials/verify', { credential }, gatewayCaller);
      return 'verified' in data ? (data.verified as VerifiedCredential) : null;
    },
  };
}
