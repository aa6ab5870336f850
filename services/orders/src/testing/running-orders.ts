import { systemClock, type Clock } from '@holdfast/kernel/context';
import type { FoundUser, OrderRecord } from '@holdfast/contracts/http';
import { allMessages, type AuditFact, type Envelope } from '@holdfast/contracts/messages';
import { defaultMarketplaceId, idFactory, type NewId, type UserId } from '@holdfast/kernel/ids';
import { createLifecycle, type Lifecycle } from '@holdfast/process/lifecycle';
import { startService } from '@holdfast/service-kit';
import { collectingLog, type CollectingLog } from '@holdfast/testing/log';
import type { TestDatabase } from '@holdfast/testing/postgres';
import {
  serviceDatabase,
  serviceTestClient,
  openObservedBroker,
  testProcess,
  type TestResponse,
  type TestCaller,
  type ServiceTestClient,
} from '@holdfast/testing/services';
import { orders } from '../service.js';
import { startIdentityStub } from './identity-stub.js';
import { startLedgerStub, type LedgerStub } from './ledger-stub.js';
import { simulateServices, type SimulatedServices } from './simulated-services.js';

/** The service on its own database, called over HTTP like the gateway does. Simulated services reply to its commands. */
export type RunningOrders = ServiceTestClient & {
  readonly database: TestDatabase;
  readonly simulated: SimulatedServices;
  readonly ledger: Pick<LedgerStub, 'setAvailable'>;
  readonly log: CollectingLog;
  readonly clock: Clock;
  /** A second replica of the service, on the same database and broker. */
  readonly replica: ServiceTestClient & Pick<RunningOrders, 'do'>;
  /** Adds a user to identity. */
  readonly aUser: (given?: Partial<FoundUser>) => UserId;
  readonly anOrder: (given?: object, by?: TestCaller) => Promise<OrderRecord>;
  /** Creates an order and takes it through these steps. */
  readonly anOrderAfter: (steps: readonly Step[], given?: object) => Promise<OrderRecord>;
  readonly do: (orderId: string, step: Step, body?: object, by?: TestCaller) => Promise<TestResponse>;
  readonly orderNow: (orderId: string) => Promise<OrderRecord>;
  /** The public events about an order, in the order in which they happened. What two commits publish can arrive in another one. */
  readonly eventsOf: (orderId: string) => Promise<readonly Envelope[]>;
  readonly auditsOf: (orderId: string) => Promise<readonly AuditFact[]>;
  readonly published: readonly Envelope[];
  readonly repeatedIds: ReadonlySet<string>;
  /** Resolves when all published messages have been handled. */
  readonly idle: () => Promise<void>;
  readonly stop: () => Promise<void>;
};

const stepPaths = {
  reserve: 'reserve',
  cancel: 'cancel',
  escrow: 'escrow',
  fund: 'escrow/fund',
  release: 'resolution/release',
  refund: 'resolution/refund',
  dispute: 'resolution/dispute',
} as const;
export type Step = keyof typeof stepPaths;

export const stepsUntil = {
  reserved: ['reserve'],
  escrowed: ['reserve', 'escrow'],
  inProgress: ['reserve', 'escrow', 'fund'],
  disputed: ['reserve', 'escrow', 'fund', 'dispute'],
} as const satisfies Record<string, readonly Step[]>;

type Env = Readonly<Record<string, string>>;

/** No command is resent, and only a failing test waits for the end of a saga as long as this. */
const patient: Env = { SETTLEMENT_TIMEOUT_MS: '60000', SAGA_STALLED_AFTER_MS: '86400000' };

/** Nothing listens there: these services are read only for a timeline. */
const nowhere = 'http://127.0.0.1:9';

export type StartOrders = {
  /** What the second replica has in addition to the settings of the first one, or instead of them. */
  readonly replicaEnv?: Env;
  /** Maps the URL of the server to the one that the service connects to, for example a proxy. */
  readonly databaseUrl?: (serverUrl: string) => Promise<string>;
  readonly stopTimeoutMs?: number;
};

export async function startOrders(env: Env = {}, options: StartOrders = {}): Promise<RunningOrders> {
  const { replicaEnv = {}, databaseUrl, ...limits } = options;
  const clock = systemClock();
  const newId = idFactory(clock.epochMs);
  const log = collectingLog();
  const lifecycle = createLifecycle({ log, ...limits });
  const database = await serviceDatabase(orders);
  const { internalSecret } = database;
  const adminUrl = (await databaseUrl?.(database.adminUrl)) ?? database.adminUrl;
  const subscriber = { simulated: undefined as SimulatedServices | undefined };
  const onPublished = (message: Envelope): void => subscriber.simulated?.onPublished(message);
  const observed = await openObservedBroker(database, [orders.name], onPublished);
  const { broker, idle, published, repeatedIds, undeclared } = observed;
  lifecycle.onStop('broker', broker.close);
  const simulated = simulateServices(broker.publish, clock, newId);
  subscriber.simulated = simulated;
  const identity = await startIdentityStub(internalSecret, clock);
  lifecycle.onStop('identity', identity.stop);
  const ledger = await startLedgerStub(internalSecret, clock);
  lifecycle.onStop('ledger', ledger.stop);
  const access = { adminUrl, internalSecret, migrateAtStart: false };
  const platform = { ...access, broker, clock, newId, lifecycle, log, ...testProcess };
  const start = async (given: Env): Promise<ServiceTestClient> => {
    const urls = {
      IDENTITY_URL: identity.url,
      LEDGER_BALANCE_URL: ledger.url,
      NOTIFICATIONS_URL: nowhere,
      ESCROW_ADAPTER_URL: nowhere,
    };
    const { url } = await startService(orders, { ...platform, env: { ...urls, ...patient, ...given } });
    return serviceTestClient({ service: orders.name, url, secret: internalSecret, clock });
  };
  const client = await start(env);
  const replica = await start({ ...env, ...replicaEnv });
  return {
    ...client,
    ...usersAndOrders(client, newId, identity.addUser),
    ...observers(client, published, idle),
    replica: { ...replica, do: stepsAt(replica) },
    database,
    simulated,
    ledger,
    log,
    clock,
    published,
    repeatedIds,
    stop: async () => {
      await stop(lifecycle, database);
      expect(undeclared).toEqual([]);
    },
  };
}

async function stop(lifecycle: Lifecycle, database: TestDatabase): Promise<void> {
  await lifecycle.stop('the test is over');
  await database.drop();
}

const disputeBody = { orderId: 'ord_1', openedBy: 'BUYER', reason: 'NOT_DELIVERED' };

function usersAndOrders({ post }: ServiceTestClient, newId: NewId, addUser: (user: FoundUser) => void) {
  const aUser: RunningOrders['aUser'] = (given = {}) => {
    const id = newId('usr');
    addUser({ id, marketplaceId: defaultMarketplaceId, type: 'BOTH', status: 'ACTIVE', version: 1, ...given });
    return id;
  };
  const anOrder: RunningOrders['anOrder'] = async (given = {}, by = {}) => {
    const at = by.marketplaceId === undefined ? {} : { marketplaceId: by.marketplaceId };
    const body = { buyerId: aUser(at), sellerId: aUser(at), amount: '100.00', ...given };
    const response = await post('/orders', body, by);
    expect([response.status, response.code]).toEqual([201, undefined]);
    return response.data.data as OrderRecord;
  };
  const step = stepsAt({ post });
  const anOrderAfter: RunningOrders['anOrderAfter'] = async (steps, given) => {
    const order = await anOrder(given);
    for (const name of steps) {
      const response = await step(order.id, name);
      expect([name, response.status, response.code]).toEqual([name, 201, undefined]);
    }
    return order;
  };
  return { aUser, anOrder, anOrderAfter, do: step };
}

function stepsAt({ post }: Pick<ServiceTestClient, 'post'>): RunningOrders['do'] {
  return (orderId, name, body, by) => {
    const usual = name === 'dispute' ? disputeBody : name === 'refund' ? { reason: 'late' } : {};
    return post(`/orders/${orderId}/${stepPaths[name]}`, body ?? usual, by);
  };
}

const publicTypes = new Set(allMessages.filter(({ visibility }) => visibility === 'public').map(({ type }) => type));

function observers({ get }: ServiceTestClient, published: readonly Envelope[], idle: RunningOrders['idle']) {
  const about = async (orderId: string): Promise<readonly Envelope[]> => {
    await idle();
    return published.filter(
      ({ aggregateId, payload }) => aggregateId === orderId || Object.values(payload as object).includes(orderId),
    );
  };
  return {
    idle,
    orderNow: async (orderId: string) => (await get(`/orders/${orderId}`)).data.data as OrderRecord,
    eventsOf: async (orderId: string) =>
      (await about(orderId))
        .filter(({ type }) => publicTypes.has(type))
        .toSorted((one, other) => one.occurredAt.localeCompare(other.occurredAt)),
    auditsOf: async (orderId: string) =>
      (await about(orderId)).filter(({ type }) => type === 'audit.recorded').map(({ payload }) => payload as AuditFact),
  };
}
