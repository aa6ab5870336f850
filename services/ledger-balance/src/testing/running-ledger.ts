import { fileURLToPath } from 'node:url';
import { brokerMigrations, openInProcessBroker, topologyOf, type Broker } from '@holdfast/shared/broker';
import { callerHeader, callerSigner } from '@holdfast/shared/caller';
import { systemClock, type Clock } from '@holdfast/shared/context';
import {
  allMessages,
  userChanged,
  userCreated,
  type Envelope,
  type MessageDeclaration,
  type Payload,
  type UserStatus,
} from '@holdfast/shared/contracts/messages';
import { defaultMarketplaceId, idFactory, type MarketplaceId, type UserId } from '@holdfast/shared/ids';
import { createLifecycle } from '@holdfast/shared/lifecycle';
import { formatUnits } from '@holdfast/shared/money';
import { messagingMigrations } from '@holdfast/shared/outbox';
import { startService } from '@holdfast/shared/service-host';
import { eventually } from '@holdfast/shared/testing/eventually';
import { silentLog } from '@holdfast/shared/testing/log';
import { testDatabase, type TestDatabase } from '@holdfast/shared/testing/postgres';
import { ledgerBalance } from '../service.js';
import { proveBooks } from '../store/prove-books.js';
import { answerOf, type Answer } from './answers.js';

/** Every message of the platform arrives here too, so that tests can see what the ledger tells. */
const observer = 'observer';

type Asking = { readonly marketplaceId?: MarketplaceId; readonly operationId?: string };

/** The whole service on a database of its own, asked over HTTP and by messages as its neighbours would. */
export type RunningLedger = {
  readonly url: string;
  readonly get: (path: string, asking?: Asking) => Promise<Answer>;
  readonly post: (path: string, body: unknown, asking?: Asking) => Promise<Answer>;
  readonly newUserId: () => UserId;
  /** A user the ledger has heard of, with money if the test wants some. */
  readonly aUser: (given?: { readonly available?: string }) => Promise<UserId>;
  readonly hearOf: (userId: UserId) => Promise<void>;
  readonly hearStatus: (userId: UserId, status: UserStatus, version?: number) => Promise<void>;
  readonly tell: <M extends MessageDeclaration>(declaration: M, aggregateId: string, payload: Payload<M>) => Promise<Envelope>;
  readonly tellAgain: (message: Envelope) => Promise<void>;
  /** The payload of the first answer of this type that is about this order, top-up or withdrawal. */
  readonly reply: (type: string, subjectId: string) => Promise<unknown>;
  readonly repliesTo: (subjectId: string) => readonly Envelope[];
  /** The first public events about a user's balance, in the order of their versions. */
  readonly eventsOf: (userId: UserId, count: number) => Promise<readonly Envelope[]>;
  /** Everything told so far has been handled. */
  readonly idle: () => Promise<void>;
  readonly booksOf: (kind: string, owner: string) => Promise<string>;
  readonly database: TestDatabase;
  /** Proves the books, and stops. */
  readonly provenAndStopped: () => Promise<void>;
};

export async function startLedger(): Promise<RunningLedger> {
  const clock = systemClock();
  const newId = idFactory(clock.epochMs);
  const lifecycle = createLifecycle({ log: silentLog });
  const database = await testDatabase();
  const broker = await openBroker(database, clock);
  lifecycle.onStop('broker', broker.close);
  const service = await startService(ledgerBalance, {
    adminUrl: database.adminUrl,
    broker,
    internalSecret: database.internalSecret,
    env: {},
    log: silentLog,
    clock,
    newId,
    host: '127.0.0.1',
    port: 0,
    lifecycle,
  });
  const signer = callerSigner({ secret: database.internalSecret, clock });
  const heard = await observe(broker);

  const ask = async (
    method: string,
    path: string,
    body: unknown,
    { marketplaceId, operationId }: Asking = {},
  ): Promise<Answer> => {
    const caller = {
      type: 'master',
      id: 'master',
      marketplaceId: marketplaceId ?? defaultMarketplaceId,
      scopes: ['read', 'write', 'support'],
    } as const;
    const signed = signer.sign({ caller, ...(operationId === undefined ? {} : { operationId }) }, 'ledger-balance');
    const response = await fetch(`${service.url}/api/v1${path}`, {
      method,
      headers: { [callerHeader]: signed, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return answerOf(response);
  };

  const tell: RunningLedger['tell'] = async (declaration, aggregateId, payload) =>
    tellVersion(declaration, aggregateId, payload, 1);

  async function tellVersion(
    declaration: MessageDeclaration,
    aggregateId: string,
    payload: unknown,
    aggregateVersion: number,
  ): Promise<Envelope> {
    const { type, version, aggregateType } = declaration;
    const message: Envelope = {
      id: newId('evt'),
      type,
      version,
      aggregateType,
      aggregateId,
      aggregateVersion,
      payload,
      occurredAt: clock.now(),
      marketplaceId: defaultMarketplaceId,
      correlationId: 'test',
    };
    await broker.publish([message]);
    return message;
  }

  const ledger: RunningLedger = {
    url: service.url,
    database,
    get: (path, asking) => ask('GET', path, undefined, asking),
    post: (path, body, asking) => ask('POST', path, body, asking),
    newUserId: () => newId('usr'),
    aUser: async ({ available } = {}) => {
      const userId = newId('usr');
      await ledger.hearOf(userId);
      if (available !== undefined) await ledger.post(`/users/${userId}/balance/credit`, { amount: available });
      return userId;
    },
    hearOf: async (userId) => {
      await tell(userCreated, userId, { userId, externalUserId: userId, type: 'BOTH', status: 'ACTIVE' });
      await eventually(async () => {
        expect((await ledger.get(`/users/${userId}/balance`)).status).toBe(200);
      });
    },
    hearStatus: async (userId, status, version = 2) => {
      await tellVersion(userChanged, userId, { userId, externalUserId: userId, type: 'BOTH', status }, version);
      await ledger.idle();
    },
    tell,
    tellAgain: (message) => broker.publish([message]),
    reply: async (type, subjectId) => {
      await eventually(() => {
        expect(repliesTo(heard, subjectId).map((reply) => reply.type)).toContain(type);
      });
      return repliesTo(heard, subjectId).find((reply) => reply.type === type)?.payload;
    },
    repliesTo: (subjectId) => repliesTo(heard, subjectId),
    eventsOf: async (userId, count) => {
      await eventually(() => {
        expect(publicEvents(heard, userId).length).toBeGreaterThanOrEqual(count);
      });
      return publicEvents(heard, userId);
    },
    idle: async () => {
      await eventually(async () => {
        const waiting = await database.asAdmin(
          'select 1 from broker.deliveries where parked_at is null union all select 1 from ledger_balance.outbox',
        );
        expect(waiting).toHaveLength(0);
      });
    },
    booksOf: async (kind, owner) => {
      const [row] = await database.asAdmin<{ readonly units: string | null }>(
        'select sum(legs.units) as units from ledger_balance.legs join ledger_balance.accounts on accounts.id = legs.account_id where kind = $1 and owner = $2',
        [kind, owner],
      );
      return formatUnits(BigInt(row?.units ?? 0));
    },
    provenAndStopped: async () => {
      const proof = await proveBooks(await database.open(ledgerAgain), clock);
      await lifecycle.stop('the test is over');
      await database.drop();
      expect(proof.discrepancies).toEqual([]);
    },
  };
  return ledger;
}

const ledgerAgain = {
  service: ledgerBalance.name,
  migrations: [messagingMigrations, fileURLToPath(ledgerBalance.migrations)],
  entities: ledgerBalance.entities,
};

/** Messages of services that do not exist yet have no queue of their own; the observer hears what the ledger tells them. */
async function openBroker(database: TestDatabase, clock: Clock): Promise<Broker> {
  const { pool } = await database.open({ service: 'broker', migrations: [brokerMigrations] });
  const { queues } = topologyOf(allMessages, [ledgerBalance.name]);
  const told = allMessages.filter(({ publisher }) => publisher === ledgerBalance.name).map(({ type }) => type);
  return openInProcessBroker({
    pool,
    topology: { queues: [...queues, { name: observer, types: told }] },
    log: silentLog,
    clock,
    ladderMs: [20, 50, 100, 200],
  });
}

async function observe(broker: Broker): Promise<readonly Envelope[]> {
  const heard: Envelope[] = [];
  await broker.consume(observer, { prefetch: 100 }, ({ envelope }) => {
    heard.push(envelope);
    return Promise.resolve();
  });
  return heard;
}

const publicTypes = new Set(allMessages.filter(({ visibility }) => visibility === 'public').map(({ type }) => type));

function publicEvents(heard: readonly Envelope[], userId: string): readonly Envelope[] {
  return heard
    .filter(({ type, aggregateId }) => publicTypes.has(type) && aggregateId === userId)
    .sort((a, b) => a.aggregateVersion - b.aggregateVersion);
}

function repliesTo(heard: readonly Envelope[], subjectId: string): readonly Envelope[] {
  return heard.filter(({ type, payload }) => !publicTypes.has(type) && Object.values(payload as object).includes(subjectId));
}
