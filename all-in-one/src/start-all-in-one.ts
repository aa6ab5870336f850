import { startGateway, type ServiceUrls } from '@holdfast/gateway';
import { brokerMigrations, connectRabbitmq, openInProcessBroker, topologyOf, type Broker } from '@holdfast/shared/broker';
import { allMessages } from '@holdfast/shared/contracts/messages';
import { existingServices } from '@holdfast/shared/contracts/services';
import type { Listener } from '@holdfast/shared/http-server';
import { idFactory } from '@holdfast/shared/ids';
import { createMetrics } from '@holdfast/shared/observability';
import { derivePassword, openDatabase, roleOf } from '@holdfast/shared/postgres';
import { startService } from '@holdfast/shared/service-host';
import { urlTo } from './choose-port.js';
import { tellDemoUsers, waitForDemoUsers } from './demo-users.js';
import { services } from './parts.js';
import { productVersion } from './product.js';
import { provideDatabase, withDatabase } from './provide-database.js';
import type { Stage, Started } from './stage.js';

const internalHost = '127.0.0.1';
const anyPort = 0;
const brokerRole = 'broker';
const brokerPoolMax = 8;

/**
 * Everything in this one process. Services and gateway are composed exactly as in processes of their own; only the driver
 * and the database differ.
 */
export async function startAllInOne(stage: Stage): Promise<Started> {
  const { config, secrets, clock, lifecycle, onProgress } = stage;
  const { url: databaseUrl, kept } = await provideDatabase(stage);
  const broker = await openBroker(stage, databaseUrl);
  lifecycle.onStop('broker', broker.close);
  const urls = await startServices(stage, { databaseUrl, broker });
  onProgress('starting the gateway');
  const gateway = await openGateway(stage, urls);
  lifecycle.onStop('gateway', gateway.stop);

  onProgress('introducing the demo users');
  await tellDemoUsers(broker, clock);
  await waitForDemoUsers({ url: urls['ledger-balance'], internalSecret: secrets.internalSecret, clock });
  return { url: urlTo(config.host, gateway.port), databaseUrl, amqpUrl: config.amqpUrl, kept };
}

type Servers = { readonly databaseUrl: string; readonly broker: Broker };

async function startServices(stage: Stage, { databaseUrl, broker }: Servers): Promise<ServiceUrls> {
  const { env, secrets, clock, lifecycle, logFor, onProgress } = stage;
  const { internalSecret } = secrets;
  const newId = idFactory(clock.epochMs);
  const shared = {
    adminUrl: databaseUrl,
    broker,
    internalSecret,
    env,
    clock,
    newId,
    lifecycle,
    host: internalHost,
    port: anyPort,
  };
  const urls = new Map<string, string>();
  for (const service of services) {
    onProgress(`starting ${service.name}`);
    const running = await withDatabase(databaseUrl, () => startService(service, { ...shared, log: logFor(service.name) }));
    urls.set(service.name, running.url);
  }
  return Object.fromEntries(urls);
}

function openGateway({ config, secrets, port, clock, logFor }: Stage, serviceUrls: ServiceUrls): Promise<Listener> {
  const outside = { ...secrets, host: config.host, port, proxyTimeoutMs: config.proxyTimeoutMs };
  const metrics = createMetrics({ service: 'gateway' });
  return startGateway({ ...outside, serviceUrls, version: productVersion, clock, metrics, log: logFor('gateway') });
}

/** RabbitMQ where one is given; else messages stay within this process, as durable as its database. */
async function openBroker(
  { config, secrets, clock, lifecycle, logFor, onProgress }: Stage,
  databaseUrl: string,
): Promise<Broker> {
  const log = logFor('broker');
  const topology = topologyOf(allMessages, existingServices);
  if (config.amqpUrl !== undefined) {
    onProgress('connecting to RabbitMQ');
    return connectRabbitmq({ url: config.amqpUrl, topology, log, clock });
  }
  const database = await withDatabase(databaseUrl, () =>
    openDatabase({
      adminUrl: databaseUrl,
      service: brokerRole,
      password: derivePassword(secrets.internalSecret, roleOf(brokerRole)),
      migrations: [brokerMigrations],
      poolMax: brokerPoolMax,
      log,
    }),
  );
  lifecycle.onStop('broker database', database.close);
  return openInProcessBroker({ pool: database.pool, topology, log, clock });
}
