import { startGateway, type AdmissionSettings } from '@holdfast/gateway';
import { brokerMigrations, connectRabbitmq, openInProcessBroker, topologyOf, type Broker } from '@holdfast/messaging/broker';
import { allMessages } from '@holdfast/contracts/messages';
import { serviceNames } from '@holdfast/contracts/services';
import type { Listener, Readiness } from '@holdfast/http/server';
import { idFactory } from '@holdfast/kernel/ids';
import type { Metrics } from '@holdfast/observability';
import { openDatabase } from '@holdfast/postgres';
import { startService } from '@holdfast/service-kit';
import { traceProcess } from '@holdfast/process/lifecycle';
import { withSettings } from '@holdfast/process/config';
import { urlTo } from './choose-port.js';
import { createConsoleAccess, type ConsoleAccess } from './console-access.js';
import { developmentSettings, readDevelopmentAdmission } from './development-admission.js';
import { secretVariables } from './data-folder/index.js';
import { createDemoUsers, type DemoUsers } from './demo-users.js';
import { checksOf, openOperations, type Operations } from './open-operations.js';
import { provideOutsideSystems, type OutsideSystems } from './outside-systems.js';
import { services } from './services.js';
import { productVersion } from './product.js';
import { publicUrlVariables } from './public-url.js';
import { provideDatabase, withDatabase } from './provide-database.js';
import { chooseServiceAddresses, internalHost, type ServiceAddresses } from './service-addresses.js';
import type { StartupContext, Started } from './startup-context.js';

const brokerRole = 'broker';
const brokerPoolMax = 8;
const gatewayPoolMax = 6;

/**
 * Starts every service and the gateway in this process. They are composed as in separate processes; only the message driver
 * and the database differ.
 */
export async function startAllInOne(context: StartupContext): Promise<Started> {
  const { config, env, secrets, clock, lifecycle, logFor, onProgress } = context;
  await traceProcess({ ...config, service: 'holdfast', version: productVersion, log: logFor('all-in-one'), lifecycle });
  const operations = await openOperations(context);
  const admission = readDevelopmentAdmission(env, config.host);
  const { url: databaseUrl, kept } = await provideDatabase(context);
  const broker = await openBroker(context, databaseUrl);
  lifecycle.onStop('broker', broker.close);
  const addresses = await chooseServiceAddresses();
  const outside = await provideOutsideSystems(context);
  const servers = { databaseUrl, broker, addresses, outside };
  const readiness = await startServices(context, servers, operations);
  onProgress('creating the demo users');
  const { internalSecret } = secrets;
  const hasSandbox = outside.sandboxUrl !== undefined;
  const demoUsers = await createDemoUsers({ addresses, internalSecret, hasSandbox, clock, log: logFor('all-in-one') });
  onProgress('starting the gateway');
  const url = urlTo(config.host, context.port);
  const consoleAccess = createConsoleAccess({ ...secrets, url, keyFile: context.folder.consoleKey, clock });
  const metrics = operations.metricsOf('gateway');
  const gateway = await openGateway(context, servers, { admission, demoUsers, metrics, consoleAccess });
  lifecycle.onStop('gateway', gateway.stop);
  operations.markStarted(readiness);
  return {
    url,
    databaseUrl,
    amqpUrl: config.amqpUrl,
    serviceUrls: addresses.urls,
    sandboxUrl: outside.sandboxUrl,
    kept,
    metrics: [{ process: 'all-in-one', url: operations.url }],
    demo: demoUsers,
    consoleUrl: admission.console === 'off' ? undefined : consoleAccess.address,
    rateLimit: admission,
  };
}

type Servers = {
  readonly databaseUrl: string;
  readonly broker: Broker;
  readonly addresses: ServiceAddresses;
  readonly outside: OutsideSystems;
};

/** Resolves to the readiness checks of all services. */
async function startServices(
  context: StartupContext,
  { databaseUrl, broker, addresses, outside }: Servers,
  { metricsOf }: Operations,
): Promise<Readiness> {
  const { secrets, clock, lifecycle, logFor, onProgress } = context;
  const { internalSecret } = secrets;
  const settings = { ...secretVariables(secrets), ...publicUrlVariables(context), ...addresses.variables, ...outside.variables };
  const env = withSettings({ ...developmentSettings(context.env), ...context.env }, settings);
  const newId = idFactory(clock.epochMs);
  const shared = { adminUrl: databaseUrl, broker, internalSecret, env, clock, newId, lifecycle, host: internalHost };
  const checks: Readiness[] = [];
  for (const service of services) {
    onProgress(`starting ${service.name}`);
    const { port } = addresses.of(service.name);
    const own = { port, log: logFor(service.name), metrics: metricsOf(service.name) };
    const { readiness } = await withDatabase(databaseUrl, () => startService(service, { ...shared, ...own }));
    checks.push(checksOf(service.name, readiness));
  }
  return Object.fromEntries(checks.flatMap((readiness) => Object.entries(readiness)));
}

type GatewayParts = {
  readonly admission: AdmissionSettings;
  readonly demoUsers: DemoUsers;
  readonly metrics: Metrics;
  readonly consoleAccess: ConsoleAccess;
};

function openGateway(
  context: StartupContext,
  { databaseUrl, broker, addresses }: Servers,
  { admission, demoUsers, metrics, consoleAccess }: GatewayParts,
): Promise<Listener> {
  const { config, secrets, port, clock, logFor, lifecycle } = context;
  const { stopAnnounced, drainTimeoutMs } = lifecycle;
  const outside = { ...secrets, host: config.host, port, proxyTimeoutMs: config.proxyTimeoutMs };
  return startGateway({
    ...admission,
    ...outside,
    stopAnnounced,
    drainTimeoutMs,
    serviceUrls: addresses.urls,
    broker,
    adminUrl: databaseUrl,
    poolMax: gatewayPoolMax,
    version: productVersion,
    demoUsers,
    consoleSignIn: consoleAccess.signIn,
    clock,
    metrics,
    log: logFor('gateway'),
  });
}

/** RabbitMQ where AMQP_URL names one; else the in-process driver, which stores messages in the database. */
async function openBroker(
  { config, secrets, lifecycle, logFor, onProgress }: StartupContext,
  databaseUrl: string,
): Promise<Broker> {
  const log = logFor('broker');
  const { newerVersionWaitMs } = config;
  const topology = topologyOf(allMessages, serviceNames);
  if (config.amqpUrl !== undefined) {
    onProgress('connecting to RabbitMQ');
    return connectRabbitmq({ url: config.amqpUrl, topology, newerVersionWaitMs, log });
  }
  const database = await withDatabase(databaseUrl, () =>
    openDatabase({
      adminUrl: databaseUrl,
      service: brokerRole,
      internalSecret: secrets.internalSecret,
      migrations: [brokerMigrations],
      poolMax: brokerPoolMax,
      log,
    }),
  );
  lifecycle.onStop('broker database', database.close);
  return openInProcessBroker({ pool: database.pool, topology, newerVersionWaitMs, log });
}
