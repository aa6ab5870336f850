import type { Broker } from '@holdfast/messaging/broker';
import { callerSigner, type CallerSigner } from '@holdfast/http/caller';
import { createSemaphore } from '@holdfast/kernel/async';
import type { Clock, Log } from '@holdfast/kernel/context';
import { allRoutes, type RouteDeclaration } from '@holdfast/contracts/http';
import { credentialsTopic } from '@holdfast/contracts/messages';
import { bodyLimits, startListener, type BodyLimits, type Listener, type ListenerOptions } from '@holdfast/http/server';
import type { Metrics } from '@holdfast/observability';
import type { Database } from '@holdfast/postgres';
import { createHealthProbes, type HealthProbes } from '@holdfast/process/operations-port';
import { createJobRunner, type Job, type JobRunner } from '@holdfast/work';
import { measureConnected, measurePools, processMetrics } from '@holdfast/service-kit';
import { createApp, type AppDeps } from './app.js';
import { createAuthentication } from './authenticate.js';
import { originsOf, type AdmissionSettings, type ServiceUrls } from './config.js';
import { builtConsole } from './console-files.js';
import type { ConsoleSignIn } from './console-session.js';
import { createCredentialCache } from './credential-cache.js';
import { createIdempotency, type Idempotency, type IdempotencyRecords } from './idempotency.js';
import { createIdentity, type Identity } from './identity.js';
import { createMemoryWindows, type MemoryWindows } from './memory-windows.js';
import { createMeasurement, type GatewayMeasurement } from './metrics.js';
import { createServiceClients, type ServiceClients } from './operations/ask-service.js';
import { operationRoutes } from './operations/routes.js';
import { createOpenStreams } from './open-streams.js';
import { createOwnResponses } from './own-responses.js';
import { createEmergencyWarning } from './emergency-warning.js';
import { createProviderStatus, type ProviderStatus } from './provider-status.js';
import { createProxy, type Proxy } from './proxy.js';
import { createProxyWarning, warnOfUntrustedProxies } from './proxy-warning.js';
import { createRateLimit, type RateWindows } from './rate-limit.js';
import { createReferenceDocuments, type DemoUsers } from './reference-pages.js';
import { createRefusalLog, type RefusalLog } from './refusal-log.js';
import { createRefusedCredentials, type RefusedCredentials } from './refused-credentials.js';
import { createRouteLimits, parseRouteLimits } from './route-limits.js';
import { createResponseSealer } from './sealed-response.js';
import { serviceProbes } from './service-probes.js';
import { idempotencyStore, pruneRecords } from './store/idempotency-store.js';
import { openGatewayDatabase, type GatewayDatabase } from './store/open-gateway-database.js';
import { createSharedWindows, pruneWindows } from './store/shared-windows.js';

export type GatewayOptions = AdmissionSettings &
  Pick<ListenerOptions, 'stopAnnounced' | 'drainTimeoutMs'> & {
    readonly host: string;
    /** 0 picks a free port. */
    readonly port: number;
    readonly serviceUrls: ServiceUrls;
    readonly masterKey: string;
    readonly internalSecret: string;
    readonly proxyTimeoutMs: number;
    readonly version: string;
    /** Users of this installation for the examples of the API reference. */
    readonly demoUsers?: DemoUsers | undefined;
    /** Exchanges the one-time codes of the console; there are none where it is left out. */
    readonly consoleSignIn?: ConsoleSignIn;
    /** Default: where the build puts the console. */
    readonly consoleFolder?: string;
    readonly log: Log;
    readonly metrics: Metrics;
    readonly clock: Clock;
    readonly broker: Pick<Broker, 'onNotification' | 'isHealthy'>;
    /** How often the health of every dependency is probed; default: `probeEveryMsDefault`. */
    readonly probeEveryMs?: number;
    /** Default: every declared route. */
    readonly routes?: readonly RouteDeclaration[];
    readonly bodyLimits?: BodyLimits;
  };

/** The gateway's database access, so that tests can run without Postgres. */
export type GatewayStores = {
  readonly records: IdempotencyRecords;
  readonly windows: (local: MemoryWindows, windowMs: number) => RateWindows;
  readonly ping: () => Promise<void>;
  readonly jobs: readonly Job[];
};

/** Opens the gateway's database, then starts the public listener. */
export async function startGateway(options: GatewayOptions & GatewayDatabase): Promise<Listener> {
  const database = await openGatewayDatabase(options);
  measurePools(database, options.metrics);
  try {
    const listener = await serveGateway(options, storesOf(database, options));
    const stop = async (): Promise<void> => {
      await listener.stop();
      await database.close();
    };
    return { ...listener, stop };
  } catch (error) {
    await database.close();
    throw error;
  }
}

const pruneEveryMs = 600_000;

function storesOf(database: Database, options: GatewayOptions & GatewayDatabase): GatewayStores {
  const { rateLimitStore, log, clock } = options;
  const prune = (signal: AbortSignal): Promise<void> => pruneRecords(database, clock.epochMs(), signal);
  return {
    records: idempotencyStore(database),
    windows: (local, windowMs) => (rateLimitStore === 'memory' ? local : createSharedWindows({ database, local, windowMs, log })),
    ping: database.ping,
    jobs: [
      { name: 'prune-idempotency-records', everyMs: pruneEveryMs, run: prune },
      { name: 'prune-rate-windows', everyMs: pruneEveryMs, run: (signal) => pruneWindows(database, signal) },
    ],
  };
}

const renewEveryMs = 15_000;

/** Starts the listener and the jobs on open stores. `stop` closes the listener first and lets running requests finish. */
export async function serveGateway(options: GatewayOptions, stores: GatewayStores): Promise<Listener> {
  const { serviceUrls, clock, log, metrics, broker } = options;
  const measurement = measurementOf(options);
  const signer = callerSigner({ secret: options.internalSecret, clock });
  const identity = createIdentity({ baseUrl: serviceUrls.identity, signer, clock });
  const cache = createCredentialCache(clock);
  const refusedCredentials = createRefusedCredentials({ identity, clock, log });
  const refusalLog = createRefusalLog(log);
  const unsubscribe = broker.onNotification([credentialsTopic], ({ key }) => cache.invalidate(key));
  const idempotency = createIdempotency({ ...stores, sealer: createResponseSealer(options.internalSecret), clock, log });
  const proxy = createProxy({ serviceUrls, timeoutMs: options.proxyTimeoutMs, log, measurement });
  const probes = probesOf(options, stores, signer);
  const providers = createProviderStatus({ serviceUrls, signer });
  const routes = (options.routes ?? allRoutes).filter(({ onlyWith }) => onlyWith !== 'operator-routes' || isOn(options));
  const clients = createServiceClients(serviceUrls, signer);
  const boundRoutes = operationRoutes(clients);
  const proxyWarning = createProxyWarning(options);
  const emergencyWarning = createEmergencyWarning(identity);
  const ownResponses = createOwnResponses({ ...options, probes, providers, proxyWarning, emergencyWarning });
  assertOwnResponses(routes, [...ownResponses.keys(), ...boundRoutes.map(({ declaration }) => declaration)]);
  const app = createApp({
    log,
    metrics,
    measurement,
    routes,
    ownResponses,
    ...pagesOf(options),
    boundRoutes,
    providers,
    clock,
    corsOrigins: originsOf(options),
    authentication: createAuthentication({ ...options, identity, cache }),
    identity,
    ...limitsOf(options, stores, measurement),
    trustedProxyHops: options.trustedProxyHops,
    proxyWarning,
    refusedCredentials,
    refusalLog,
    bodyLimits: options.bodyLimits ?? bodyLimits,
    idempotency,
    signer,
    proxy,
  });
  const reports = [probes.job, providers.job, emergencyWarning.job, refusedCredentials.job, refusalLog.job];
  const jobs = createJobRunner({ log, metrics });
  await Promise.all([probes.probeAll(), providers.refresh(), emergencyWarning.refresh()]);
  warnOfUntrustedProxies(options, options.host);
  const listener = await startListener(app, options);
  jobs.start([...stores.jobs, renewalOf(idempotency), ...reports]);
  return {
    ...listener,
    stop: () => stop({ listener, jobs, proxy, identity, providers, clients, refusedCredentials, refusalLog, unsubscribe, log }),
  };
}

type Running = {
  readonly listener: Listener;
  readonly jobs: JobRunner;
  readonly proxy: Proxy;
  readonly identity: Identity;
  readonly providers: ProviderStatus;
  readonly clients: ServiceClients;
  readonly refusedCredentials: RefusedCredentials;
  readonly refusalLog: RefusalLog;
  readonly unsubscribe: () => void;
  readonly log: Log;
};

async function stop(running: Running): Promise<void> {
  const { listener, jobs, proxy, identity, providers, clients, refusedCredentials, refusalLog, log } = running;
  const drained = listener.stop();
  proxy.endStreams();
  await drained;
  running.unsubscribe();
  await jobs.stop();
  refusalLog.flush();
  await refusedCredentials.report().catch((error: unknown) => log.warn({ error }, 'refused credentials could not be reported'));
  await Promise.all([proxy.close(), identity.close(), providers.close(), clients.close()]);
}

function renewalOf({ renewClaims }: Idempotency): Job {
  return { name: 'renew-idempotency-claims', everyMs: renewEveryMs, run: renewClaims };
}

function pagesOf(options: GatewayOptions): Pick<AppDeps, 'documents' | 'console'> {
  const { consoleFolder = builtConsole, consoleSignIn } = options;
  return {
    documents: createReferenceDocuments(allRoutes, options),
    console: options.console === 'off' ? undefined : { folder: consoleFolder, signIn: consoleSignIn },
  };
}

function measurementOf({ metrics, broker }: GatewayOptions): GatewayMeasurement {
  metrics.register(processMetrics);
  measureConnected(broker, metrics);
  return createMeasurement(metrics);
}

/** Each lookup takes identity a few milliseconds, so that a full queue is a wait of about a second. See ADR 0047. */
const suspectLookupLimits = { runningMax: 8, queueMax: 2_000, queueTimeoutMs: 5_000 };

/** A service refuses an unsigned webhook in a few milliseconds, and a signed one takes it longer. The providers wait about 15 s. */
const overLimitWebhookLimits = { runningMax: 8, queueMax: 2_000, queueTimeoutMs: 10_000 };

type Limits = Pick<
  AppDeps,
  'rateLimit' | 'limitOfRoute' | 'unknownCredentials' | 'suspectLookups' | 'overLimitWebhooks' | 'openStreams'
>;

function limitsOf(options: GatewayOptions, stores: GatewayStores, measurement: GatewayMeasurement): Limits {
  const { clock } = options;
  const windowMs = options.rateLimitWindowSeconds * 1_000;
  const windows = (lengthMs: number): RateWindows => stores.windows(createMemoryWindows({ windowMs: lengthMs, clock }), lengthMs);
  return {
    rateLimit: createRateLimit({ ...options, windows: windows(windowMs) }),
    limitOfRoute: createRouteLimits(parseRouteLimits(options.rateLimitRoutes) ?? [], { windows, clock }),
    unknownCredentials: createMemoryWindows({ windowMs, clock }),
    suspectLookups: createSemaphore(suspectLookupLimits),
    overLimitWebhooks: createSemaphore(overLimitWebhookLimits),
    openStreams: createOpenStreams(options, measurement.openStreams),
  };
}

/** With the time limit of a probe, a result is younger than the promised 15 s. Each run costs every service a statement. */
const probeEveryMsDefault = 10_000;

function probesOf(options: GatewayOptions, { ping }: GatewayStores, signer: CallerSigner): HealthProbes {
  const { serviceUrls, broker, probeEveryMs = probeEveryMsDefault } = options;
  const isBrokerUp = (): Promise<void> => (broker.isHealthy() ? Promise.resolve() : Promise.reject(new Error('not ready')));
  return createHealthProbes({ database: ping, broker: isBrokerUp, ...serviceProbes(serviceUrls, signer) }, probeEveryMs);
}

/** Whether the routes exist with which operators change something. */
function isOn({ operatorRoutes }: Pick<AdmissionSettings, 'operatorRoutes'>): boolean {
  return operatorRoutes === 'on';
}

function assertOwnResponses(routes: readonly RouteDeclaration[], served: readonly RouteDeclaration[]): void {
  const missing = routes.find((route) => route.service === 'gateway' && !served.includes(route));
  if (missing !== undefined) throw new Error(`the gateway has no response for its route ${missing.name}`);
}
