import { startGateway, type AdmissionSettings } from '@holdfast/gateway';
import { brokerMigrations, connectRabbitmq, openInProcessBroker, topologyOf, type Broker } from '@holdfast/messaging/broker';
import { allMessages } from '@holdfast/contracts/messages';
import { serviceNames } from '@holdfast/contracts/services';
import type { Listener } from '@holdfast/http/server';
import { idFactory } from '@holdfast/kernel/ids';
import { createMetrics, type Metrics } from '@holdfast/observability';
import { openDatabase } from '@holdfast/postgres';
import { startService, traceProcess } from '@holdfast/service-host';
import { urlTo } from './choose-port.js';
import { developmentSettings, readDevelopmentAdmission } from './development-admission.js';
import { secretVariables } from './data-folder/index.js';
import { createDemoUsers, type DemoUsers } from './demo-users.js';
import { provideOutsideSystems, type OutsideSystems } from './outside-systems.js';
import { services } from './parts.js';
import { productVersion } from './product.js';
import { publicUrlVariables } from './public-url.js';
import { provideDatabase, withDatabase } from './provide-database.js';
import { chooseServiceAddresses, internalHost, type ServiceAddresses } from './service-addresses.js';
import { startGatewayMetrics } from './start-gateway-metrics.js';
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
  const admission = readDevelopmentAdmission(env);
  const { url: databaseUrl, kept } = await provideDatabase(context);
  const broker = await openBroker(context, databaseUrl);
  lifecycle.onStop('broker', broker.close);
  const addresses = await chooseServiceAddresses();
  const outside = await provideOutsideSystems(context);
  await startServices(context, { databaseUrl, broker, addresses, outside });
  onProgress('creating the demo users');
  const { url } = addresses.of('identity');
  const demoUsers = await createDemoUsers({ url, internalSecret: secrets.internalSecret, clock });
  onProgress('starting the gateway');
  const metrics = createMetrics({ service: 'gateway' });
  const gatewayMetrics = await startGatewayMetrics({ metrics, clock, log: logFor('gateway'), lifecycle });
  const gateway = await openGateway(context, { databaseUrl, broker, addresses, outside }, { admission, demoUsers, metrics });
  lifecycle.onStop('gateway', gateway.stop);
  return {
    url: urlTo(config.host, gateway.port),
    databaseUrl,
    amqpUrl: config.amqpUrl,
    serviceUrls: addresses.urls,
    sandboxUrl: outside.sandboxUrl,
    kept,
    metrics: [gatewayMetrics, ...addresses.metrics],
    demo: demoUsers,
    rateLimit: admission,
  };
}

type Servers = {
  readonly databaseUrl: string;
  readonly broker: Broker;
  readonly addresses: ServiceAddresses;
  readonly outside: OutsideSystems;
};

async function startServices(context: StartupContext, { databaseUrl, broker, addresses, outside }: Servers): Promise<void> {
  const { secrets, clock, lifecycle, logFor, onProgress } = context;
  const { internalSecret } = secrets;
  const settings = { ...secretVariables(secrets), ...publicUrlVariables(context), ...addresses.variables, ...outside.variables };
  const env = { ...developmentSettings, ...context.env, ...settings };
  const newId = idFactory(clock.epochMs);
  const shared = { adminUrl: databaseUrl, broker, internalSecret, env, clock, newId, lifecycle, host: internalHost };
  for (const service of services) {
    onProgress(`starting ${service.name}`);
    const { port } = addresses.of(service.name);
    await withDatabase(databaseUrl, () => startService(service, { ...shared, port, log: logFor(service.name) }));
  }
}

type GatewayParts = { readonly admission: AdmissionSettings; readonly demoUsers: DemoUsers; readonly metrics: Metrics };

function openGateway(
  context: StartupContext,
  { databaseUrl, broker, addresses }: Servers,
  { admission, demoUsers, metrics }: GatewayParts,
): Promise<Listener> {
  const { config, secrets, port, clock, logFor } = context;
  const outside = { ...secrets, host: config.host, port, proxyTimeoutMs: config.proxyTimeoutMs };
  return startGateway({
    ...admission,
    ...outside,
    serviceUrls: addresses.urls,
    broker,
    adminUrl: databaseUrl,
    poolMax: gatewayPoolMax,
    version: productVersion,
    demoUsers,
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
  const topology = topologyOf(allMessages, serviceNames);
  if (config.amqpUrl !== undefined) {
    onProgress('connecting to RabbitMQ');
    return connectRabbitmq({ url: config.amqpUrl, topology, log });
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
  return openInProcessBroker({ pool: database.pool, topology, log });
}
