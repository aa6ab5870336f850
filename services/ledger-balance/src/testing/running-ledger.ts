import { fileURLToPath } from 'node:url';
import type { Broker } from '@holdfast/messaging/broker';
import { systemClock, type Clock } from '@holdfast/kernel/context';
import {
  userChanged,
  userCreated,
  type Envelope,
  type MessageDeclaration,
  type Payload,
  type UserStatus,
} from '@holdfast/contracts/messages';
import { defaultMarketplaceId, idFactory, type NewId, type UserId } from '@holdfast/kernel/ids';
import { createLifecycle } from '@holdfast/process/lifecycle';
import { messagingMigrations } from '@holdfast/messaging/outbox';
import { startService } from '@holdfast/service-kit';
import { eventually } from '@holdfast/testing/eventually';
import { silentLog } from '@holdfast/testing/log';
import type { TestDatabase } from '@holdfast/testing/postgres';
import {
  serviceDatabase,
  serviceTestClient,
  openObservedBroker,
  testProcess,
  type ServiceTestClient,
} from '@holdfast/testing/services';
import { sagaOf } from '@holdfast/testing/sagas';
import { ledgerBalance } from '../service.js';
import { checkLedger } from '../store/check-ledger.js';
import type { LedgerReport } from '../use-cases/ports.js';
import { startIdentityStub, type IdentityStub } from './identity-stub.js';
import { observed, type Observed } from './observed.js';
import { startPaymentsStub, type PaymentsStub } from './payments-stub.js';
import { startWalletsStub, type WalletsStub } from './wallets-stub.js';

/** The service on its own database. Tests call it over HTTP and publish messages to it. */
export type RunningLedger = ServiceTestClient &
  Observed &
  TestPublisher & {
    readonly database: TestDatabase;
    readonly identity: IdentityStub;
    readonly wallets: WalletsStub;
    readonly payments: PaymentsStub;
    /** Creates a user that the ledger knows, with an available balance if given. */
    readonly aUser: (given?: { readonly available?: string }) => Promise<UserId>;
    readonly publishUserCreated: (userId: UserId) => Promise<void>;
    readonly publishUserStatus: (userId: UserId, status: UserStatus, version?: number) => Promise<void>;
    readonly repeatedIds: ReadonlySet<string>;
    /** Resolves when all published messages have been handled. */
    readonly idle: () => Promise<void>;
    readonly checkLedger: () => Promise<LedgerReport>;
    /** Stops the service and expects the ledger check to find nothing. */
    readonly checkAndStop: () => Promise<void>;
  };

type TestPublisher = {
  readonly newUserId: () => UserId;
  readonly publish: <M extends MessageDeclaration>(
    declaration: M,
    aggregateId: string,
    payload: Payload<M>,
    version?: number,
  ) => Promise<Envelope>;
  /** Publishes a message of this saga, which shares it with others. */
  readonly publishIn: <M extends MessageDeclaration>(
    saga: string,
    declaration: M,
    aggregateId: string,
    payload: Payload<M>,
  ) => Promise<Envelope>;
  readonly republish: (message: Envelope) => Promise<void>;
  /** Sends a message back to the queue of the ledger, as an operator does with a parked one. */
  readonly redeliver: (message: Envelope) => Promise<void>;
};

/** Opens the tables of the service a second time. */
export const ledgerTables = {
  service: ledgerBalance.name,
  migrations: [messagingMigrations, fileURLToPath(ledgerBalance.migrations)],
  entities: ledgerBalance.entities,
};

export type StartLedger = {
  /** Maps the administrator's URL to the one that the service connects to, for example a proxy. */
  readonly databaseUrl?: (adminUrl: string) => Promise<string>;
};

export async function startLedger({ databaseUrl }: StartLedger = {}): Promise<RunningLedger> {
  const clock = systemClock();
  const newId = idFactory(clock.epochMs);
  const lifecycle = createLifecycle({ log: silentLog });
  const database = await serviceDatabase(ledgerBalance);
  const { internalSecret } = database;
  const adminUrl = (await databaseUrl?.(database.adminUrl)) ?? database.adminUrl;
  const { broker, idle, published, repeatedIds, undeclared } = await openObservedBroker(database, [ledgerBalance.name]);
  lifecycle.onStop('broker', broker.close);
  const identity = await startIdentityStub(internalSecret, clock);
  lifecycle.onStop('identity', identity.stop);
  const wallets = await startWalletsStub(internalSecret, clock);
  lifecycle.onStop('wallets', wallets.stop);
  const payments = await startPaymentsStub(internalSecret, clock);
  lifecycle.onStop('payments', payments.stop);
  const env = { IDENTITY_URL: identity.url, ESCROW_ADAPTER_URL: wallets.url, PAYMENTS_URL: payments.url };
  const shared = { adminUrl, internalSecret, migrateAtStart: false, broker, clock, newId, lifecycle, log: silentLog, env };
  const { url } = await startService(ledgerBalance, { ...shared, ...testProcess });
  const client = serviceTestClient({ service: ledgerBalance.name, url, secret: internalSecret, clock });
  const publisher = testPublisher(broker, clock, newId);
  const tables = await database.open(ledgerTables);
  const checkBooks = (): Promise<LedgerReport> => checkLedger(tables, clock);
  return {
    database,
    identity,
    wallets,
    payments,
    ...client,
    ...publisher,
    ...observed(published),
    repeatedIds,
    ...withUsers(client, publisher, idle),
    idle,
    checkLedger: checkBooks,
    checkAndStop: async () => {
      const report = await checkBooks();
      await lifecycle.stop('the test is over');
      await database.drop();
      expect(report.discrepancies).toEqual([]);
      expect(undeclared).toEqual([]);
    },
  };
}

function testPublisher(broker: Broker, clock: Clock, newId: NewId): TestPublisher {
  const send = async (
    { type, version, aggregateType }: MessageDeclaration,
    given: Pick<Envelope, 'aggregateId' | 'aggregateVersion' | 'payload' | 'saga'>,
  ): Promise<Envelope> => {
    const message: Envelope = {
      id: newId('evt'),
      type,
      version,
      aggregateType,
      occurredAt: clock.now(),
      marketplaceId: defaultMarketplaceId,
      correlationId: 'test',
      afterEventId: newId('evt'),
      ...sagaOf({ type }),
      ...given,
    };
    await broker.publish([message]);
    return message;
  };
  return {
    newUserId: () => newId('usr'),
    publish: (declaration, aggregateId, payload, aggregateVersion = 1) =>
      send(declaration, { aggregateId, payload, aggregateVersion }),
    publishIn: (saga, declaration, aggregateId, payload) =>
      send(declaration, { aggregateId, payload, aggregateVersion: 1, saga }),
    republish: (message) => broker.publish([message]),
    redeliver: ({ id, type, ...message }) =>
      broker.redeliver(ledgerBalance.name, [
        { messageId: id, type, body: Buffer.from(JSON.stringify({ id, type, ...message })) },
      ]),
  };
}

function withUsers(
  { get, post }: ServiceTestClient,
  { newUserId, publish }: TestPublisher,
  idle: RunningLedger['idle'],
): Pick<RunningLedger, 'aUser' | 'publishUserCreated' | 'publishUserStatus'> {
  const fieldsOf = (userId: UserId, status: UserStatus) => ({ userId, externalUserId: userId, type: 'BOTH', status }) as const;
  const publishUserCreated = async (userId: UserId): Promise<void> => {
    await publish(userCreated, userId, fieldsOf(userId, 'ACTIVE'));
    await eventually(async () => {
      expect((await get(`/users/${userId}/balance`)).status).toBe(200);
    });
  };
  return {
    publishUserCreated,
    aUser: async ({ available } = {}) => {
      const userId = newUserId();
      await publishUserCreated(userId);
      if (available !== undefined) await post(`/users/${userId}/balance/credit`, { amount: available });
      return userId;
    },
    publishUserStatus: async (userId, status, version = 2) => {
      await publish(userChanged, userId, fieldsOf(userId, status), version);
      await idle();
    },
  };
}
