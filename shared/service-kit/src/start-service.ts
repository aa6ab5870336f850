import { fileURLToPath } from 'node:url';
import { retry } from '@holdfast/kernel/async';
import type { Broker } from '@holdfast/messaging/broker';
import { callerSigner } from '@holdfast/http/caller';
import type { Clock } from '@holdfast/kernel/instants';
import type { Log } from '@holdfast/kernel/context';
import { isAppError, type AppError } from '@holdfast/kernel/errors';
import { startHttpServer, type Listener, type Readiness } from '@holdfast/http/server';
import type { NewId } from '@holdfast/kernel/ids';
import { createMetrics, type Metrics } from '@holdfast/observability';
import { acknowledgementConsumers, createOutbox, createRelay, messagingMigrations, type Relay } from '@holdfast/messaging/outbox';
import { pruneInbox } from '@holdfast/messaging/inbox';
import { parkedMessages } from '@holdfast/messaging/parked';
import { openDatabase, toAppError, type Database } from '@holdfast/postgres';
import { purposeKeys } from '@holdfast/kernel/secrets';
import { readConfig, type Environment, type SettingsSchema } from '@holdfast/process/config';
import type { Lifecycle } from '@holdfast/process/lifecycle';
import { assertAllMessagesHandled } from './consumers.js';
import { createQueueConsumer } from './queue-consumer.js';
import { createJobRunner, type Job } from '@holdfast/work';
import { countPublished, measureConnected, outboxMeasurement, queueMeasurement } from './messaging-metrics.js';
import { serviceMetrics } from './metrics.js';
import { requireTrue } from '@holdfast/process/operations-port';
import { parkedRoutes } from './parked-routes.js';
import { measurePools } from './pool-metrics.js';
import { readinessRoute } from './readiness-route.js';
import type { ServiceDefinition, ServiceParts, ServiceRuntime } from './service-definition.js';
import { createWakeReplicas, listenToReplicas } from './wake-replicas.js';

/** What a run mode (own process, all-in-one, test) provides to the services that it starts. */
export type Platform = {
  /** The administrator's URL of the database server, or the URL of the service's own role. */
  readonly adminUrl: string;
  readonly broker: Broker;
  readonly internalSecret: string;
  readonly env: Environment;
  readonly log: Log;
  readonly clock: Clock;
  readonly newId: NewId;
  readonly lifecycle: Lifecycle;
  readonly host: string;
  /** 0 means any free port. */
  readonly port: number;
  readonly poolMax?: number;
  /** Whether the service creates its schema and migrates it; else it waits until that was done. Default: true. */
  readonly migrateAtStart?: boolean;
  /** How long to wait for a database that is not reachable or not migrated yet. */
  readonly databaseWaitMs?: number;
  readonly metrics?: Metrics;
  /** See `createJobRunner`; only tests have it. */
  readonly lookEveryMsMax?: number;
};

export type RunningService = {
  readonly url: string;
  readonly port: number;
  readonly metrics: Metrics;
  /** For the operations port of the process. */
  readonly readiness: Readiness;
};

/**
 * Starts a service and resolves once it is ready: its migrations are applied, it listens and it consumes. The lifecycle stops its
 * parts in this order: HTTP, consumers, jobs, parts that the service registered, relay, database.
 */
export async function startService<Settings extends SettingsSchema>(
  definition: ServiceDefinition<Settings>,
  platform: Platform,
): Promise<RunningService> {
  const { clock, newId, log, lifecycle, internalSecret, lookEveryMsMax } = platform;
  const { name } = definition;
  const metrics = platform.metrics ?? createMetrics({ service: name, processMetrics: false });
  metrics.register([...serviceMetrics(name), ...(definition.metrics ?? [])]);
  measureConnected(platform.broker, metrics);
  const broker = countPublished(platform.broker, metrics);
  const config = readConfig(definition.settings, platform.env);

  const database = await openWithRetries(definition, platform);
  lifecycle.onStop(`${name} database`, database.close);
  measurePools(database, metrics);
  const relay = createRelay({ database, broker, log });
  lifecycle.onStop(`${name} relay`, relay.stop);
  const outbox = createOutbox({ relay, clock, newId });
  const signer = callerSigner({ secret: internalSecret, clock });
  const deriveKey = purposeKeys(internalSecret);
  const jobs = createJobRunner({ log, metrics, ...(lookEveryMsMax === undefined ? {} : { lookEveryMsMax }) });
  const waking = { wake: jobs.wake, wakeReplicas: createWakeReplicas({ service: name, broker }) };
  const runtime = { config, database, broker, outbox, clock, newId, log, metrics, lifecycle, signer, deriveKey, ...waking };
  const parts = await definition.create(runtime);
  if (parts.bindsOwnConsumers !== true) assertAllMessagesHandled(name, parts.consumers);

  const parked = parkedMessages(database.lists);
  const allJobs = [...(parts.jobs ?? []), ...jobsOf(database, relay, metrics), queueMeasurement(name, broker, metrics)];
  lifecycle.onStop(`${name} jobs`, jobs.stop);
  const queueConsumer = createQueueConsumer({
    ...platform,
    service: name,
    consumers: [...parts.consumers, ...acknowledgementConsumers(name, database)],
    broker,
    database,
    metrics,
    signal: lifecycle.signal,
  });
  lifecycle.onStop(`${name} consumers`, queueConsumer.stop);
  const readiness = readinessOf({ parts, database, broker, hasStarted: queueConsumer.hasStarted });
  const routes = [
    ...parts.routes,
    ...parkedRoutes({ service: name, parked, broker, database, outbox }),
    readinessRoute(name, readiness),
  ];
  const http = await serve(platform, { routes, metrics, signer });
  lifecycle.onStop(`${name} http`, http.stop);
  await queueConsumer.start();
  jobs.start(allJobs);
  const stopListening = listenToReplicas({ service: name, broker }, allJobs, jobs.wake);
  lifecycle.signal.addEventListener('abort', stopListening);
  return { url: http.url, port: http.port, metrics, readiness };
}

/** The folders with the SQL files of a service, in the order in which they are applied. */
export function migrationFoldersOf({ sharedMigrations = [], migrations }: ServiceDefinition): readonly string[] {
  return [messagingMigrations, ...sharedMigrations, fileURLToPath(migrations)];
}

const openDelayMs = 1_000;

function openWithRetries(definition: ServiceDefinition, platform: Platform): Promise<Database> {
  const { name, entities } = definition;
  const { adminUrl, internalSecret, log, clock, lifecycle, poolMax, migrateAtStart = true, databaseWaitMs = 0 } = platform;
  const deadline = clock.epochMs() + databaseWaitMs;
  const options = {
    adminUrl,
    service: name,
    internalSecret,
    migrations: migrationFoldersOf(definition),
    migrateAtStart,
    entities,
    ...(poolMax === undefined ? {} : { poolMax }),
    log,
  };
  return retry(() => openDatabase(options), {
    attemptsMax: Number.POSITIVE_INFINITY,
    firstDelayMs: openDelayMs,
    delayMsMax: openDelayMs,
    shouldRetry: (error) => isAppError(error, 'SERVICE_UNAVAILABLE') && clock.epochMs() < deadline,
    onRetry: (error) => log.warn({ error }, 'the database is not ready yet'),
    signal: lifecycle.signal,
  });
}

const pruneEveryMs = 3_600_000;

function jobsOf(database: Database, relay: Relay, metrics: Metrics): readonly Job[] {
  const prune = async (signal: AbortSignal): Promise<void> => {
    await pruneInbox(database, signal);
  };
  return [relay.job, outboxMeasurement(relay, metrics), { name: 'prune-inbox', everyMs: pruneEveryMs, run: prune }];
}

type CheckedParts = {
  readonly parts: ServiceParts;
  readonly database: Database;
  readonly broker: Broker;
  readonly hasStarted: () => boolean;
};

function readinessOf({ parts, database, broker, hasStarted }: CheckedParts): Readiness {
  return {
    ...parts.readiness,
    database: database.ping,
    broker: () => requireTrue(broker.isHealthy()),
    consumers: () => requireTrue(hasStarted()),
  };
}

type Served = {
  readonly routes: ServiceParts['routes'];
  readonly metrics: Metrics;
  readonly signer: ServiceRuntime['signer'];
};

function serve(platform: Platform, served: Served): Promise<Listener> {
  const { clock, log, host, port, lifecycle } = platform;
  const { routes, metrics, signer } = served;
  return startHttpServer({
    routes,
    host,
    port,
    log,
    metrics,
    clock,
    authenticateCaller: signer.verify,
    translateError,
    stopAnnounced: lifecycle.stopAnnounced,
    drainTimeoutMs: lifecycle.drainTimeoutMs,
  });
}

function translateError(error: unknown): AppError | undefined {
  const translated = toAppError(error);
  return isAppError(translated) ? translated : undefined;
}
