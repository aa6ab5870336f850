import { brokerMigrations, openInProcessBroker, topologyOf, type Broker } from '@holdfast/messaging/broker';
import { callerHeader, callerSigner } from '@holdfast/http/caller';
import { scopes, systemClock, type Caller } from '@holdfast/kernel/context';
import type { EventRecord } from '@holdfast/contracts/http';
import { allMessages } from '@holdfast/contracts/messages';
import { followStream, type StreamMessage } from '@holdfast/http/event-stream';
import { defaultMarketplaceId, idFactory } from '@holdfast/kernel/ids';
import { createLifecycle } from '@holdfast/process/lifecycle';
import { migrationFoldersOf, startService, type RunningService } from '@holdfast/service-kit';
import { eventually } from '@holdfast/testing/eventually';
import { collectingLog, silentLog, type CollectingLog } from '@holdfast/testing/log';
import type { TestDatabase } from '@holdfast/testing/postgres';
import { serviceDatabase, serviceTestClient, testProcess, type ServiceTestClient } from '@holdfast/testing/services';
import { notifications } from '../service.js';

/** A running process of the service. */
export type Replica = ServiceTestClient & {
  readonly url: string;
  readonly metrics: RunningService['metrics'];
  readonly log: CollectingLog;
  readonly follow: (options?: StreamClientOptions) => StreamClient;
  readonly stop: () => Promise<void>;
};

export type StreamClientOptions = {
  readonly query?: string;
  readonly lastEventId?: string;
  readonly caller?: Partial<Caller>;
  readonly retryMs?: number;
};

/** A client of the stream that reconnects whenever it is disconnected. */
export type StreamClient = {
  /** All received messages, pings and gaps included. */
  readonly messages: readonly StreamMessage[];
  readonly events: () => readonly EventRecord[];
  /** Resolves once the first connection is open or refused. */
  readonly opened: Promise<void>;
  readonly connections: () => number;
  /** The error with which the stream was refused permanently. */
  readonly refused: () => unknown;
  readonly has: (count: number) => Promise<readonly EventRecord[]>;
  readonly stop: () => void;
};

export type RunningNotifications = Replica & {
  readonly database: TestDatabase;
  readonly broker: Broker;
  readonly startReplica: (env?: Readonly<Record<string, string>>) => Promise<Replica>;
  readonly stopAll: () => Promise<void>;
};

/** For tests that open the service's tables themselves. */
export const notificationsMigrations = migrationFoldersOf(notifications);

const clock = systemClock();
/** Short delays, so that tests are fast, but many, so that a slow machine parks no message before the test ends. */
export const shortRetryDelaysMs = [20, 50, 100, ...Array.from({ length: 20 }, () => 200)];

/** Starts the service on its own database and calls it over HTTP as the gateway does. */
export async function startNotifications(env: Readonly<Record<string, string>> = {}): Promise<RunningNotifications> {
  const database = await serviceDatabase(notifications);
  const { pool } = await database.open({ service: 'broker', migrations: [brokerMigrations] });
  const topology = topologyOf(allMessages, [notifications.name]);
  const broker = await openInProcessBroker({ pool, topology, log: silentLog, retryDelaysMs: shortRetryDelaysMs });
  const replicas: Replica[] = [];
  const startReplica = async (given = env): Promise<Replica> => {
    const replica = await startOn(database, broker, given);
    replicas.push(replica);
    return replica;
  };
  const first = await startReplica();
  return {
    ...first,
    database,
    broker,
    startReplica,
    stopAll: async () => {
      await Promise.all(replicas.map((replica) => replica.stop()));
      await broker.close();
      await database.drop();
    },
  };
}

/** Starts a process of the service on a given broker. */
export async function startOn(
  { adminUrl, internalSecret }: Pick<TestDatabase, 'adminUrl' | 'internalSecret'>,
  broker: Broker,
  env: Readonly<Record<string, string>>,
): Promise<Replica> {
  const log = collectingLog();
  const lifecycle = createLifecycle({ log });
  const access = { adminUrl, internalSecret, migrateAtStart: false };
  const shared = { ...access, broker, clock, newId: idFactory(clock.epochMs), lifecycle, log, poolMax: 6 };
  const { url, metrics } = await startService(notifications, {
    ...shared,
    env: { EVENTS_DRAIN_MS: '50', ...env },
    ...testProcess,
  });
  const followers = new Set<StreamClient>();
  const signer = callerSigner({ secret: internalSecret, clock });
  return {
    ...serviceTestClient({ service: notifications.name, url, secret: internalSecret, clock }),
    url,
    metrics,
    log,
    follow: (options = {}) => {
      const signed = (): string => signer.sign({ caller: { ...aCaller, ...options.caller } }, notifications.name);
      const following = follow(`${url}/api/v1/events${options.query ?? ''}`, signed, options);
      followers.add(following);
      return following;
    },
    stop: async () => {
      for (const follower of followers) follower.stop();
      await lifecycle.stop('the test is over');
    },
  };
}

const aCaller: Caller = { type: 'api_key', id: 'key_1', marketplaceId: defaultMarketplaceId, scopes };

/** Hundreds of streams on one processor take longer than the limit of one request. */
const patience = { timeoutMs: 60_000 };

function follow(url: string, signed: () => string, { lastEventId, retryMs = 20 }: StreamClientOptions): StreamClient {
  const messages: StreamMessage[] = [];
  const stopping = new AbortController();
  let connections = 0;
  let refused: unknown;
  const events: EventRecord[] = [];
  const opened = new Promise<void>((resolve) => {
    followStream({
      url,
      headers: () => ({ [callerHeader]: signed() }),
      ...(lastEventId === undefined ? {} : { lastEventId }),
      retryMs,
      onMessage: (message) => {
        messages.push(message);
        if (message.id !== undefined) events.push(JSON.parse(message.data) as EventRecord);
      },
      onOpen: () => {
        connections += 1;
        resolve();
      },
      signal: stopping.signal,
    }).catch((error: unknown) => {
      refused = error;
      resolve();
    });
  });
  return {
    messages,
    events: () => events,
    opened,
    connections: () => connections,
    refused: () => refused,
    has: (count) =>
      eventually(() => {
        if (refused !== undefined) throw new Error('the stream was refused', { cause: refused });
        if (events.length < count) throw new Error(`${events.length} of ${count} events so far`);
        return [...events];
      }, patience),
    stop: () => stopping.abort(),
  };
}
