import type { FoundUser } from '@holdfast/contracts/http';
import { allMessages, type AuditFact, type Envelope } from '@holdfast/contracts/messages';
import { systemClock, type Clock } from '@holdfast/kernel/context';
import { defaultMarketplaceId, idFactory, type NewId, type UserId } from '@holdfast/kernel/ids';
import type { Broker } from '@holdfast/messaging/broker';
import { startSandbox, type Sandbox } from '@holdfast/sandbox';
import { startService } from '@holdfast/service-kit';
import { createLifecycle } from '@holdfast/process/lifecycle';
import { collectingLog, silentLog, type CollectingLog } from '@holdfast/testing/log';
import type { TestDatabase } from '@holdfast/testing/postgres';
import {
  openObservedBroker,
  serviceDatabase,
  serviceTestClient,
  testProcess,
  type ServiceTestClient,
} from '@holdfast/testing/services';
import { defaultLimits, payments, paymentsWith, type PaymentsLimits } from '../service.js';
import { startIdentityStub } from './identity-stub.js';
import { startOtherServices } from './service-stubs.js';
import { emptyCustody, type SimulatedCustody } from './simulated-books.js';
import { simulateLedger, type SimulatedLedger } from './simulated-ledger.js';

export const webhookSecret = 'whsec_aG9sZGZhc3QgcGF5bWVudCB3ZWJob29rIHNlY3JldA==';

/** The service on its own database with its own sandbox, called over HTTP like the gateway does. */
export type RunningPayments = ServiceTestClient & {
  readonly url: string;
  readonly database: TestDatabase;
  readonly sandbox: Sandbox;
  readonly ledger: SimulatedLedger;
  /** Addresses that escrow-adapter knows as the platform's own. */
  readonly ownAddresses: Set<string>;
  /** What journal and ledger network say that wallets and contracts hold. */
  readonly custody: SimulatedCustody;
  /** Withdrawals whose payout was canceled at escrow-adapter. */
  readonly payoutsCanceled: ReadonlySet<string>;
  /** Withdrawals whose payout was resolved there, with the outcome. */
  readonly payoutsResolved: ReadonlyMap<string, string>;
  readonly log: CollectingLog;
  readonly clock: Clock;
  readonly newId: NewId;
  /** Starts another replica of the service, on the same database and broker, with settings of its own where given. */
  readonly startReplica: (env?: Env) => Promise<ServiceTestClient>;
  /** Adds a user to identity. */
  readonly aUser: (given?: Partial<FoundUser>) => UserId;
  /** A user with a linked payment account. */
  readonly aLinkedUser: (given?: Partial<FoundUser>) => Promise<UserId>;
  /** Calls a control route of the sandbox. */
  readonly control: (path: string, body?: unknown) => Promise<Response>;
  readonly published: readonly Envelope[];
  /** Publishes messages of other services. */
  readonly publish: Broker['publish'];
  /** The public events about a top-up, withdrawal or user, in the order in which they happened; they are published in any order. */
  readonly eventsOf: (aggregateId: string) => readonly Envelope[];
  readonly auditsOf: (resourceId: string) => readonly AuditFact[];
  readonly stop: () => Promise<void>;
};

type Env = Readonly<Record<string, string>>;

const shortLimits: PaymentsLimits = { ...defaultLimits, pollEveryMs: 100, recheckAfterMs: 100 };

export async function startPayments(env: Env = {}, limits: Partial<PaymentsLimits> = {}): Promise<RunningPayments> {
  const clock = systemClock();
  const newId = idFactory(clock.epochMs);
  const log = collectingLog();
  const lifecycle = createLifecycle({ log });
  const database = await serviceDatabase(payments);
  const { adminUrl, internalSecret } = database;
  const subscriber = { ledger: undefined as SimulatedLedger | undefined };
  const { broker, published, undeclared } = await openObservedBroker(database, [payments.name], (message) =>
    subscriber.ledger?.onPublished(message),
  );
  lifecycle.onStop('broker', broker.close);
  const ledger = simulateLedger(broker.publish, clock, newId);
  subscriber.ledger = ledger;
  const sandbox = await startSandbox({ log: silentLog });
  lifecycle.onStop('sandbox', sandbox.close);
  const identity = await startIdentityStub(internalSecret, clock);
  lifecycle.onStop('identity', identity.stop);
  const ownAddresses = new Set<string>();
  const custody: SimulatedCustody = { ...emptyCustody };
  const simulated = { ledger, ownAddresses, custody, payoutsCanceled: new Set<string>(), payoutsResolved: new Map() };
  const otherUrls = await startOtherServices({ secret: internalSecret, clock, lifecycle, ...simulated });
  const serviceUrls = { IDENTITY_URL: identity.url, ...otherUrls };
  const settings = { ...serviceUrls, SAGA_STALLED_AFTER_MS: '86400000', ...providerSettings(sandbox), ...env };
  const access = { adminUrl, internalSecret, migrateAtStart: false };
  const { pollEveryMs: lookEveryMsMax = testProcess.lookEveryMsMax } = limits;
  const platform = { ...access, broker, clock, newId, lifecycle, log, ...testProcess, lookEveryMsMax };
  const definition = paymentsWith({ ...shortLimits, ...limits });
  const start = async (own: Env = {}) => {
    const { url } = await startService(definition, { ...platform, env: { ...settings, ...own } });
    return { url, ...serviceTestClient({ service: payments.name, url, secret: internalSecret, clock }) };
  };
  const client = await start();
  const aUser: RunningPayments['aUser'] = (given = {}) => {
    const id = newId('usr');
    identity.addUser({ id, marketplaceId: defaultMarketplaceId, type: 'BOTH', status: 'ACTIVE', version: 1, ...given });
    return id;
  };
  return {
    ...client,
    database,
    sandbox,
    ...simulated,
    log,
    clock,
    newId,
    startReplica: start,
    aUser,
    aLinkedUser: (given = {}) => linkUser(client, aUser(given)),
    control: controlOf(sandbox),
    publish: broker.publish,
    ...observationsOf(published),
    stop: async () => {
      await lifecycle.stop('the test is over');
      await database.drop();
      expect(undeclared).toEqual([]);
    },
  };
}

async function linkUser({ post }: Pick<RunningPayments, 'post'>, userId: UserId): Promise<UserId> {
  const response = await post(`/users/${userId}/payment-account/link`, { email: `${userId}@example.com` });
  expect([response.status, response.code]).toEqual([200, undefined]);
  return userId;
}

function controlOf({ controlUrl }: Sandbox): RunningPayments['control'] {
  return (path, body = {}) =>
    fetch(`${controlUrl}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
}

function observationsOf(published: readonly Envelope[]): Pick<RunningPayments, 'published' | 'eventsOf' | 'auditsOf'> {
  const inOrder = () => published.toSorted(byVersion);
  return {
    published,
    eventsOf: (aggregateId) => inOrder().filter((each) => each.aggregateId === aggregateId && publicTypes.has(each.type)),
    auditsOf: (resourceId) =>
      inOrder()
        .filter(({ type }) => type === 'audit.recorded')
        .map(({ payload }) => payload as AuditFact)
        .filter((entry) => entry.resourceId === resourceId),
  };
}

/** Messages arrive in any order. The messages of one version are ordered by the time in their ids, and keep their order within a millisecond. */
function byVersion(one: Envelope, other: Envelope): number {
  const byNumber = one.aggregateVersion - other.aggregateVersion;
  return byNumber !== 0 ? byNumber : timeOf(one.id).localeCompare(timeOf(other.id));
}

function timeOf(id: string): string {
  return id.slice(0, 'evt_'.length + 10);
}

const publicTypes = new Set(allMessages.filter(({ visibility }) => visibility === 'public').map(({ type }) => type));

function providerSettings({ paymentProviderUrl, paymentUser, paymentPassword }: Sandbox): Readonly<Record<string, string>> {
  return {
    PUBLIC_URL: 'http://127.0.0.1:8080',
    PAYMENT_PROVIDER_URL: paymentProviderUrl,
    PAYMENT_PROVIDER_KEY: paymentUser,
    PAYMENT_PROVIDER_SECRET: paymentPassword,
    PAYMENT_WEBHOOK_SECRET: webhookSecret,
  };
}
